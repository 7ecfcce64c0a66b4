import { ADMIN_KEY_ID } from '../engine/actor.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { Role } from './roles.ts';
import { type Scope, scopes } from './scopes.ts';

interface CallerGrant {
  scopes: readonly Scope[];
  /** Whether imports, bulk changes and scheduled changes are allowed. */
  mayManage: boolean;
  limit: OfficeLimit | undefined;
  role?: Role | undefined;
}

export interface Caller {
  type: 'key' | 'person';
  id: string;
  name: string;
  /** For a session. A session of a key has the rights of the key. */
  sessionId?: string | undefined;
  grants: readonly CallerGrant[];
  scopes: readonly Scope[];
  /** In milliseconds since 1970; `Infinity` for never. */
  endsAt: number;
  /** When rights it could give to others expire: those of a session's key; `Infinity` for people. */
  rightsEndAt: number;
  /** False for a rotated secret, which is valid for its overlap. */
  isCurrent: boolean;
}

export const ADMIN: Caller = {
  type: 'key',
  id: ADMIN_KEY_ID,
  name: 'ROSTER_ADMIN_KEY',
  grants: [{ scopes, mayManage: true, limit: undefined }],
  scopes,
  endsAt: Number.POSITIVE_INFINITY,
  rightsEndAt: Number.POSITIVE_INFINITY,
  isCurrent: true,
};

export interface NeededRight {
  scope: Scope | undefined;
  orScopes?: readonly Scope[] | undefined;
  isManaged?: boolean | undefined;
}

/** The offices that the right is limited to; undefined for all. Throws `insufficient_scope`. */
export function limitFor({ type, grants }: Caller, right: NeededRight): OfficeLimit | undefined {
  const { scope, orScopes = [], isManaged = false } = right;
  if (scope === undefined) return undefined;
  const allows = (grant: CallerGrant) =>
    [scope, ...orScopes].some((one) => grant.scopes.includes(one)) && (grant.mayManage || !isManaged);
  const [first, ...others] = grants.filter(allows);
  if (first === undefined) throw missing(type, { ...right, scope });
  if (others.length === 0) return first.limit;
  const limits = [first, ...others].map(({ limit }) => limit);
  const limited = limits.filter((limit) => limit !== undefined);
  return limited.length < limits.length ? undefined : unionOf(limited);
}

function unionOf(limits: OfficeLimit[]): OfficeLimit {
  return {
    granted: [...new Set(limits.flatMap(({ granted }) => granted))],
    offices: new Set(limits.flatMap(({ offices }) => [...offices])),
  };
}

function missing(
  type: Caller['type'],
  { scope, orScopes = [], isManaged = false }: NeededRight & { scope: Scope },
): RosterError {
  const scopes = [scope, ...orScopes];
  const either = scopes.join(' or ');
  const detail =
    type === 'key'
      ? `The key needs the scope ${either}.`
      : `Your roles do not include ${either}${isManaged ? ' for many records' : ''}.`;
  return new RosterError('insufficient_scope', detail, { scope: scopes.join(' ') });
}
