import { z } from 'zod';
import { isLoopback, toggle, urlOf, whole } from './setting-types.ts';

/** A URL over https, or over plain http on this computer alone. */
const safeUrl = (example: string) =>
  urlOf(/^https?$/, example).refine(
    (url) => new URL(url).protocol === 'https:' || isLoopback(new URL(url).host),
    'must be an https URL',
  );

/** A dot leads into an object. */
const claim = z.string().regex(/^\S{1,200}$/, 'must be the name of a claim');

export const signInSettings = {
  ROSTER_SESSION_IDLE_MINUTES: whole
    .pipe(z.int().min(5).max(43_200))
    .default(720)
    .describe('a session that is not used for so many minutes ends'),
  ROSTER_SESSION_HOURS: whole
    .pipe(z.int().min(1).max(8_760))
    .default(168)
    .describe('a session ends after so many hours, however much it is used'),
  ROSTER_PUBLIC_URL: safeUrl('https://roster.example')
    .refine((url) => /^https?:\/\/[^/]+\/?$/.test(url), 'must be an origin, such as https://roster.example')
    .transform((url) => new URL(url).origin)
    .optional()
    .describe(
      'the URL at which browsers reach the service, such as `https://roster.example`; without it they can sign in at a loopback address alone',
    ),
  ROSTER_OIDC_ISSUER: safeUrl('https://login.example')
    .optional()
    .describe(`the issuer of the identity provider with which people sign in (OpenID Connect)`),
  ROSTER_OIDC_CLIENT_ID: z
    .string()
    .max(500)
    .optional()
    .describe('the ID of this service at the identity provider; required with `ROSTER_OIDC_ISSUER`'),
  ROSTER_OIDC_CLIENT_SECRET: z
    .string()
    .max(2_000)
    .optional()
    .describe('its secret there; without one it is a public client, which proves itself by PKCE alone'),
  ROSTER_OIDC_SCOPES: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes, separated by spaces')
    .refine((scopes) => scopes.split(' ').includes('openid'), 'must have the scope openid')
    .default('openid email profile')
    .describe('what is asked of the identity provider, separated by spaces'),
  ROSTER_OIDC_ROLE_CLAIM: claim
    .optional()
    .describe(
      `the claim whose values are roles: at each sign-in they replace those of the person, and without one of them sign-in is rejected; by default the roles of the invitation count`,
    ),
  ROSTER_OIDC_ROLE_MAX: z
    .enum(['viewer', 'editor', 'manager', 'admin'])
    .default('manager')
    .describe('the highest role that the claim can give; a higher one counts as this'),
  ROSTER_OIDC_OFFICES_CLAIM: claim
    .optional()
    .describe(
      'the claim whose values are the IDs of the offices to which that role is limited, `*` for everything; without one of them sign-in is rejected; by default everything',
    ),
  ROSTER_OIDC_TRUST_EMAIL: toggle
    .default('false')
    .describe(
      '`true`: an email address finds an invitation although the identity provider does not say that it is verified',
    ),
};

const Settings = z.object(signInSettings);
type Settings = z.output<typeof Settings>;

export type IdentityProviderConfig = NonNullable<ReturnType<typeof identityProviderOf>>;

export function signInErrors(settings: Settings | undefined): string[] {
  if (settings === undefined) return [];
  const { ROSTER_OIDC_ISSUER, ROSTER_OIDC_ROLE_CLAIM, ROSTER_OIDC_OFFICES_CLAIM } = settings;
  const errors: string[] = [];
  const needed = ['ROSTER_OIDC_CLIENT_ID', 'ROSTER_PUBLIC_URL'] as const;
  for (const name of ROSTER_OIDC_ISSUER === undefined ? [] : needed)
    if (settings[name] === undefined) errors.push(`${name}: is required with ROSTER_OIDC_ISSUER`);
  if (ROSTER_OIDC_ISSUER === undefined && settings.ROSTER_OIDC_CLIENT_ID !== undefined)
    errors.push('ROSTER_OIDC_ISSUER: is required with ROSTER_OIDC_CLIENT_ID');
  if (ROSTER_OIDC_OFFICES_CLAIM !== undefined && ROSTER_OIDC_ROLE_CLAIM === undefined)
    errors.push('ROSTER_OIDC_OFFICES_CLAIM: requires ROSTER_OIDC_ROLE_CLAIM, whose role it limits');
  return errors;
}

export function signInConfigOf(settings: Settings) {
  return {
    sessions: {
      idleMs: settings.ROSTER_SESSION_IDLE_MINUTES * 60_000,
      lifetimeMs: settings.ROSTER_SESSION_HOURS * 3_600_000,
    },
    /** Undefined: only loopback addresses work. */
    publicUrl: settings.ROSTER_PUBLIC_URL,
    identityProvider: identityProviderOf(settings),
  };
}

function identityProviderOf(settings: Settings) {
  const { ROSTER_OIDC_ISSUER: issuer, ROSTER_OIDC_CLIENT_ID: clientId } = settings;
  const { ROSTER_PUBLIC_URL: publicUrl, ROSTER_OIDC_ROLE_CLAIM: roleClaim } = settings;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  return {
    issuer,
    clientId,
    publicUrl,
    clientSecret: settings.ROSTER_OIDC_CLIENT_SECRET,
    scopes: settings.ROSTER_OIDC_SCOPES,
    isEmailTrusted: settings.ROSTER_OIDC_TRUST_EMAIL === 'true',
    /** Undefined if the grants of the invitation count. */
    claims:
      roleClaim === undefined
        ? undefined
        : {
            role: roleClaim,
            roleMax: settings.ROSTER_OIDC_ROLE_MAX,
            offices: settings.ROSTER_OIDC_OFFICES_CLAIM,
          },
  };
}
