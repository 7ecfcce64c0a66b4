import { ADMIN_KEY_ID } from '../../engine/actor.ts';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { Role } from './roles.ts';
import { type Scope, scopes } from './scopes.ts';

/** The scopes of a caller in some offices, or everywhere. */
interface CallerGrant {
  scopes: readonly Scope[];
  /** Whether imports, changes of many records and scheduled changes are allowed, where the scopes are. */
  mayManage: boolean;
  /** The offices it is limited to; undefined for everything. */
  limit: OfficeLimit | undefined;
  /** The role of a person; a key has none. */
  role?: Role | undefined;
}

/** An authenticated caller: a key, or a person with a session. */
export interface Caller {
  type: 'key' | 'person';
  /** The id of the key or of the person: the actor of what they change. */
  id: string;
  name: string;
  /** The session, if the caller signed in; a session of a key has the rights of the key. */
  sessionId?: string | undefined;
  grants: readonly CallerGrant[];
  /** Those of all grants. */
  scopes: readonly Scope[];
  /** When the key, the secret or the session expires, in milliseconds since 1970; `Infinity` for never. */
  endsAt: number;
  /** When the rights expire that it could give to others: of a session those of the key; `Infinity` for never, as of people. */
  rightsEndAt: number;
  /** Whether the secret is the current one of the key; a rotated one is valid for its overlap. */
  isCurrent: boolean;
}

/** The caller with the key of ROSTER_ADMIN_KEY. */
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

/** The right that a procedure needs of its caller. */
export interface NeededRight {
  /** Undefined for what every caller may call. */
  scope: Scope | undefined;
  /** Other scopes, each of which will do as well. */
  orScopes?: readonly Scope[] | undefined;
  /** Whether a role must be that of a manager, or higher. */
  isManaged?: boolean | undefined;
}

/**
 * The offices that a caller with a right is limited to; undefined for everything. Throws `insufficient_scope` for a caller
 * without the right.
 */
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
