import { RosterError } from '../errors/roster-error.ts';
import type { Caller } from './authenticator.ts';
import type { Scope } from './scopes.ts';

/**
 * What a key may do to keys beside the scope `keys:manage`. Together: nobody can make, change or take over a key that may do
 * more, or goes on for longer, than their own.
 */

function refuse(detail: string): RosterError {
  return new RosterError('insufficient_scope', detail);
}

function missingOf({ scopes }: Caller, wanted: readonly Scope[]): string {
  return wanted.filter((scope) => !scopes.includes(scope)).join(', ');
}

/** A key gives no scope that it does not have. Throws `insufficient_scope`. */
export function checkGiven(caller: Caller, wanted: readonly Scope[] = []): void {
  const missing = missingOf(caller, wanted);
  if (missing !== '') throw refuse(`A key cannot give scopes it does not have: ${missing}.`);
}

/** A key changes, rotates and revokes no key with a scope that it does not have itself. Throws `insufficient_scope`. */
export function checkMayChange(caller: Caller, scopes: readonly Scope[]): void {
  const missing = missingOf(caller, scopes);
  if (missing !== '') throw refuse(`A key cannot change one with scopes it does not have: ${missing}.`);
}

/** The end that a key gives is not later than its own. Throws `validation_failed`. */
export function checkEnd({ endsAt }: Caller, wanted: string | null | undefined): void {
  if (endsAt === Number.POSITIVE_INFINITY) return;
  if (wanted != null && Date.parse(wanted) <= endsAt) return;
  const detail = `must not be later than ${new Date(endsAt).toISOString()}, when the key that asks for it ends`;
  const errors = [{ pointer: '#/expiresAt', code: 'too_late', detail }];
  throw new RosterError('validation_failed', `expiresAt ${detail}.`, { errors });
}

/** A key gives scopes, or a secret, to no key that ends later than itself. Throws `insufficient_scope`. */
export function checkOutlives({ endsAt }: Caller, end: Date | null): void {
  if ((end?.getTime() ?? Number.POSITIVE_INFINITY) <= endsAt) return;
  throw refuse('A key cannot give scopes or a secret to one that ends later than itself.');
}

/** A secret that was rotated away makes no other. Throws `insufficient_scope`. */
export function checkSecret({ isCurrent }: Caller): void {
  if (!isCurrent)
    throw refuse('This secret was rotated away: only the current secret of a key can rotate keys.');
}
