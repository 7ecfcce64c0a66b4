import { GRANT_OFFICES_MAX, GRANTS_MAX, Role } from '@roster/api/server';
import type { StoredGrant } from '@roster/db';
import type { IdentityProviderConfig } from '../config/sign-in-settings.ts';
import type { Claims } from './identity-provider.ts';

type ClaimsConfig = NonNullable<IdentityProviderConfig['claims']>;
/** From the least to the most. */
const roles = Role.options;
const EVERYTHING = '*';
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A claim by its name or, if there is none of that name, inside objects by names with dots between them. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** The texts of a claim, which may be one text or a list; anything else in it counts for nothing. */
function textsOf(claims: Claims, name: string): string[] {
  return [claimAt(claims, name)].flat().filter((value) => typeof value === 'string');
}

/**
 * The grants that claims give: the highest of their roles, but none above the setting, for the offices that they name. Undefined if
 * they name no role, or no office although the setting asks for some: then they give nothing.
 */
export function grantsOf(
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
  const grants: StoredGrant[] = [];
  for (let index = 0; index < ids.length && grants.length < GRANTS_MAX; index += GRANT_OFFICES_MAX)
    grants.push({ role, officeIds: ids.slice(index, index + GRANT_OFFICES_MAX) });
  return grants.length === 0 ? undefined : grants;
}

/** The e-mail address by which an invitation is found: only a verified one, unless the setting trusts the provider. */
export function invitedEmailOf(
  { email, email_verified: isVerified }: Claims,
  { isEmailTrusted }: Pick<IdentityProviderConfig, 'isEmailTrusted'>,
): string | undefined {
  if (typeof email !== 'string') return undefined;
  return isVerified === true || (isEmailTrusted && isVerified === undefined) ? email : undefined;
}

/** The name of a person; undefined if the provider does not say. */
export function nameOf({ name, preferred_username: username }: Claims): string | undefined {
  const given = [name, username].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof given === 'string' ? given.trim().slice(0, 200).toWellFormed() : undefined;
}
