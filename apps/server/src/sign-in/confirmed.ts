import { RosterError } from '@roster/api';
import type { Confirmed } from '@roster/api/server';
import type { IdentityProviderConfig } from '../config/sign-in-settings.ts';
import { emailOf, grantsOf, identityOf, invitedEmailOf, nameOf, providerSessionOf } from './claims.ts';
import type { ConfirmedSignIn } from './identity-provider.ts';

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
