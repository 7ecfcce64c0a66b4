import type { Caller } from '../access/caller.ts';
import type { Scope } from '../access/scopes.ts';
import { RosterError } from '../errors/roster-error.ts';

/**
 * Rules for callers with the scope `keys:manage`. Together they prevent privilege escalation: no key can create, change or take
 * over a key that has more scopes, or expires later, than itself.
 */

function insufficientScope(detail: string): RosterError {
  return new RosterError('insufficient_scope', detail);
}

function missingOf({ scopes }: Caller, wanted: readonly Scope[]): string {
  return wanted.filter((scope) => !scopes.includes(scope)).join(', ');
}

/** The caller must have all scopes that it gives to a key. Throws `insufficient_scope`. */
export function checkGrantedScopes(caller: Caller, wanted: readonly Scope[] = []): void {
  const missing = missingOf(caller, wanted);
  if (missing !== '') throw insufficientScope(`A key cannot give scopes that it does not have: ${missing}.`);
}

/** The caller must have all scopes of a key that it changes, rotates or revokes. Throws `insufficient_scope`. */
export function checkMayChange(caller: Caller, scopes: readonly Scope[]): void {
  const missing = missingOf(caller, scopes);
  if (missing !== '')
    throw insufficientScope(`A key cannot change a key with scopes that it does not have: ${missing}.`);
}

/** The expiry that the caller gives must not be later than its own. Throws `validation_failed`. */
export function checkExpiry({ endsAt }: Caller, wanted: string | null | undefined): void {
  if (endsAt === Number.POSITIVE_INFINITY) return;
  if (wanted != null && Date.parse(wanted) <= endsAt) return;
  const detail = `must not be later than ${new Date(endsAt).toISOString()}, when the key of the caller expires`;
  const errors = [{ pointer: '#/expiresAt', code: 'too_late', detail }];
  throw new RosterError('validation_failed', `expiresAt ${detail}.`, { errors });
}

/** The caller must not expire before a key to which it gives scopes or a secret. Throws `insufficient_scope`. */
export function checkExpiresFirst({ endsAt }: Caller, end: Date | null): void {
  if ((end?.getTime() ?? Number.POSITIVE_INFINITY) <= endsAt) return;
  throw insufficientScope('A key cannot give scopes or a secret to a key that expires later.');
}

/** A secret that was rotated away cannot rotate a key. Throws `insufficient_scope`. */
export function checkCurrentSecret({ isCurrent }: Caller): void {
  if (!isCurrent)
    throw insufficientScope(
      'This secret was rotated away: only the current secret of a key can rotate keys.',
    );
}
