import { GRANT_OFFICES_MAX, GRANTS_MAX, NewPerson, Role, RosterError } from '@roster/api';
import type { Confirmed } from '@roster/api/server';
import type { StoredGrant } from '@roster/db';
import { z } from 'zod';
import type { IdentityProviderConfig } from '../config/sign-in-settings.ts';
import type { Claims, ConfirmedSignIn } from './identity-provider.ts';

type ClaimsConfig = NonNullable<IdentityProviderConfig['claims']>;
const roles = Role.options;
const EVERYTHING = '*';
const OFFICES_MAX = GRANTS_MAX * GRANT_OFFICES_MAX;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By name, else inside objects by names with dots between them. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Values that are no texts do not count. */
function textsOf(claims: Claims, name: string): string[] {
  return [claimAt(claims, name)].flat().filter((value) => typeof value === 'string');
}

/** Undefined if the claims grant nothing. Throws `sign_in_failed` for more offices than a person may have. */
function grantsOf(
  claims: Claims,
  { role: roleClaim, roleMax, offices: officesClaim }: ClaimsConfig,
): StoredGrant[] | undefined {
  const named = textsOf(claims, roleClaim);
  const highest = roles.findLastIndex((role) => named.includes(role));
  const role = roles[Math.min(highest, roles.indexOf(roleMax))];
  if (role === undefined) return undefined;
  if (officesClaim === undefined) return [{ role, officeIds: null }];
  const offices = textsOf(claims, officesClaim);
  if (offices.includes(EVERYTHING)) return [{ role, officeIds: null }];
  const ids = [...new Set(offices.filter((id) => uuid.test(id)).map((id) => id.toLowerCase()))];
  if (ids.length > OFFICES_MAX) throw unusable(officesClaim, `must name at most ${OFFICES_MAX} offices`);
  const grants: StoredGrant[] = [];
  for (let index = 0; index < ids.length; index += GRANT_OFFICES_MAX)
    grants.push({ role, officeIds: ids.slice(index, index + GRANT_OFFICES_MAX) });
  return grants.length === 0 ? undefined : grants;
}

function unusable(claim: string, problem: string): RosterError {
  const detail = `The claim \`${claim}\` of the identity provider cannot be used: it ${problem}.`;
  return new RosterError('sign_in_failed', detail);
}

function checked(claim: string, value: unknown, schema: z.ZodType<string>): string {
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw unusable(claim, error?.issues[0]?.message ?? 'is not valid');
  return data;
}

/** OpenID Connect bounds `sub` by 255 characters. Different identifiers must stay different in the database. */
export const ProviderIdentifier = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must have no control characters');

function identityOf({ iss, sub }: Claims): { issuer: string; subject: string } {
  return { issuer: iss, subject: checked('sub', sub, ProviderIdentifier) };
}

function providerSessionOf({ sid }: Claims): string | undefined {
  return sid === undefined || sid === null ? undefined : checked('sid', sid, ProviderIdentifier);
}

/** Throws `sign_in_failed` if it cannot be stored as it is. */
function emailOf({ email }: Claims): string | undefined {
  if (typeof email !== 'string' || email === '') return undefined;
  // Stored with other characters it would be another address.
  if (checked('email', email, NewPerson.shape.email) === email) return email;
  throw unusable('email', 'must be in the composed form of Unicode (NFC), without blanks around it');
}

/** Only a verified address finds an invitation, unless the setting trusts the provider. */
function invitedEmailOf(
  claims: Claims,
  { isEmailTrusted }: Pick<IdentityProviderConfig, 'isEmailTrusted'>,
): string | undefined {
  const { email_verified: isVerified } = claims;
  return isVerified === true || (isEmailTrusted && isVerified === undefined) ? emailOf(claims) : undefined;
}

function nameOf(claims: Claims): string | undefined {
  for (const claim of ['name', 'preferred_username']) {
    const value = claims[claim];
    if (typeof value === 'string' && value.trim() !== '') return checked(claim, value, NewPerson.shape.name);
  }
  return undefined;
}

/**
 * Someone whom the identity provider has confirmed, by its claims. Throws `sign_in_failed` if one that counts cannot be stored as it is,
 * and `sign_in_denied` if the claims are to give a role and give none.
 */
export function readConfirmed(
  { claims, idToken }: ConfirmedSignIn,
  config: IdentityProviderConfig,
): Confirmed {
  const grants = config.claims && grantsOf(claims, config.claims);
  if (config.claims !== undefined && grants === undefined)
    throw new RosterError('sign_in_denied', 'The identity provider gives you no role here.');
  return {
    grants,
    verifiedEmail: invitedEmailOf(claims, config),
    providerSession: providerSessionOf(claims),
    identity: identityOf(claims),
    readNew: () => ({ email: emailOf(claims), name: nameOf(claims) }),
    idToken,
  };
}
