import type { StoredGrant } from '@roster/db';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { type Caller, limitFor } from './caller.ts';
import { containsOffices } from './office-ids.ts';
import { mayManage, scopesOfRole } from './roles.ts';
import type { Scope } from './scopes.ts';

/**
 * Rules for `keys:manage` and `people:manage`. Together they prevent privilege escalation: you can't create,
 * change or take over a key or a person with more scopes, other offices or a later expiry than your own.
 */

export interface Right {
  scopes: readonly Scope[];
  isManaged: boolean;
  officeIds: readonly string[] | null;
}

export function rightOfKey({ scopes, officeIds }: Pick<Right, 'scopes' | 'officeIds'>): Right {
  return { scopes, isManaged: true, officeIds };
}

export function rightsOfGrants(grants: readonly StoredGrant[]): Right[] {
  return grants.map(({ role, officeIds }) => ({
    scopes: scopesOfRole[role],
    isManaged: mayManage(role),
    officeIds,
  }));
}

function insufficientScope(detail: string): RosterError {
  return new RosterError('insufficient_scope', detail);
}

function subjectOf({ type }: Caller): string {
  return type === 'key' ? 'A key' : 'A person';
}

function hasScope(caller: Caller, scope: Scope, { isManaged, officeIds }: Right): boolean {
  try {
    return containsOffices(limitFor(caller, { scope, isManaged }), officeIds);
  } catch {
    return false;
  }
}

function missingOf(caller: Caller, rights: readonly Right[]): string {
  const missing = rights.flatMap((right) => right.scopes.filter((scope) => !hasScope(caller, scope, right)));
  return [...new Set(missing)].join(', ');
}

/** The caller must have all rights it gives. Throws `insufficient_scope`. */
export function checkGivenRights(caller: Caller, rights: readonly Right[]): void {
  const missing = missingOf(caller, rights);
  if (missing !== '')
    throw insufficientScope(`${subjectOf(caller)} cannot give scopes that it does not have: ${missing}.`);
}

/** The caller must have all rights of a key or person it changes or ends. Throws `insufficient_scope`. */
export function checkMayChange(
  caller: Caller,
  rights: readonly Right[],
  what: 'a key' | 'a person' = 'a key',
): void {
  const missing = missingOf(caller, rights);
  if (missing === '') return;
  throw insufficientScope(
    `${subjectOf(caller)} cannot change ${what} with scopes that it does not have: ${missing}.`,
  );
}

/** The given expiry must not be later than the caller's. Throws `validation_failed`. */
export function checkExpiry({ rightsEndAt }: Caller, wanted: string | null | undefined): void {
  if (rightsEndAt === Number.POSITIVE_INFINITY) return;
  if (wanted != null && Date.parse(wanted) <= rightsEndAt) return;
  const detail = `must not be later than ${new Date(rightsEndAt).toISOString()}, when the key of the caller expires`;
  throw invalidInput({ pointer: '#/expiresAt', code: 'too_late', detail });
}

/** The caller must not expire before a key it gives rights or a secret to. Throws `insufficient_scope`. */
export function checkExpiresFirst({ rightsEndAt }: Caller, end: Date | null): void {
  if ((end?.getTime() ?? Number.POSITIVE_INFINITY) <= rightsEndAt) return;
  throw insufficientScope('A key cannot give scopes or a secret to a key that expires later.');
}

/** People don't expire, so neither may the caller. Throws `insufficient_scope`. */
export function checkNeverExpires({ rightsEndAt }: Caller): void {
  if (rightsEndAt === Number.POSITIVE_INFINITY) return;
  throw insufficientScope('A key that expires cannot give rights to people, which do not expire.');
}

/** A rotated secret can't rotate its key again. Throws `insufficient_scope`. */
export function checkCurrentSecret({ isCurrent }: Caller): void {
  if (!isCurrent)
    throw insufficientScope(
      'This secret was rotated away: only the current secret of a key can rotate keys.',
    );
}
