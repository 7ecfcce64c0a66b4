import { RosterError } from '@roster/api';
import type { Enrolling, StoredPasskey } from '@roster/api/server';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { passkeyOriginOf } from '../../http/own-origin.ts';
import { requireOrigin, type SignInContext } from '../context.ts';

const CHALLENGE_MS = 5 * 60 * 1_000;
const RP_NAME = 'Roster';

const base64url = (lengthMax: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .max(lengthMax);

/** 1,023 bytes at most (WebAuthn, section 4). */
const credentialId = base64url(1_364);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  // The service asks for no extensions.
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: z.string().max(100).nullish(),
};
const clientDataJSON = base64url(10_000);

/** WebAuthn, RegistrationResponseJSON; some of it is repeated. */
export const NewCredential = z
  .strictObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON,
      attestationObject: base64url(50_000),
      transports: z
        .array(z.string().regex(/^[\x21-\x7e]{1,50}$/, 'must be the name of a transport'))
        .max(20)
        .optional(),
    }),
  })
  .transform((value) => value as RegistrationResponseJSON);

/** WebAuthn, AuthenticationResponseJSON. */
export const Assertion = z
  .strictObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON,
      authenticatorData: base64url(50_000),
      signature: base64url(10_000),
      userHandle: base64url(200).nullish(),
    }),
  })
  .transform((value) => value as AuthenticationResponseJSON);

/** ES256, EdDSA and RS256 in COSE. */
const ALGORITHMS = [-7, -8, -257];

type Purpose = { purpose: 'sign-in' } | { purpose: 'new'; personId: string; from: string };

const webauthn = () => import('@simplewebauthn/server');

/** The origin, and its host as the RP ID. */
export interface RelyingParty {
  origin: string;
  id: string;
}

/** Throws `sign_in_failed` if people sign in elsewhere, or the host has no name. */
export function requireRelyingParty(request: FastifyRequest, context: SignInContext): RelyingParty {
  if (context.provider !== undefined)
    throw new RosterError('sign_in_failed', 'People sign in at the identity provider, not with passkeys.');
  const origin = requireOrigin(request, context);
  const named = passkeyOriginOf(origin);
  if (named === origin) return { origin, id: new URL(origin).hostname };
  const where = named === undefined ? 'at a host with a name, which ROSTER_PUBLIC_URL needs' : `at ${named}`;
  throw new RosterError(
    'sign_in_failed',
    `Browsers have no passkeys for an address: open the service ${where}.`,
  );
}

/** Works once, on any server. */
async function newChallenge({ signIn }: SignInContext, data: Purpose): Promise<Uint8Array<ArrayBuffer>> {
  const secret = await signIn.begin('passkey', { data, lifetimeMs: CHALLENGE_MS });
  return new Uint8Array(Buffer.from(secret, 'base64url'));
}

/** Ends a challenge. Returns whether it was made for this purpose. */
function takeChallenge({ signIn }: SignInContext, wanted: Purpose) {
  return async (challenge: string): Promise<boolean> => {
    const taken = await signIn.take<Purpose>('passkey', challenge);
    return JSON.stringify(taken) === JSON.stringify(wanted);
  };
}

const shortened = ({ credentialId: id, transports }: StoredPasskey) => ({ id, transports: [...transports] });

/** A passkey that needs no user name, and that verifies its user. */
export async function creationOptions(
  context: SignInContext,
  { id: rpID }: RelyingParty,
  { person, from }: Enrolling,
) {
  const { generateRegistrationOptions } = await webauthn();
  const challenge = await newChallenge(context, { purpose: 'new', personId: person.id, from });
  const known = await context.signIn.findPasskeys({ personId: person.id });
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    challenge,
    timeout: CHALLENGE_MS,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll('-', ''), 'hex')),
    userName: person.email,
    userDisplayName: person.name,
    excludeCredentials: known.map(shortened),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export async function requestOptions(context: SignInContext, { id: rpID }: RelyingParty) {
  const { generateAuthenticationOptions } = await webauthn();
  const challenge = await newChallenge(context, { purpose: 'sign-in' });
  return generateAuthenticationOptions({
    rpID,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

async function verified<Result extends { verified: boolean }>(check: Promise<Result>): Promise<Result> {
  const detail = 'The response of the device is wrong, was used before, or took longer than five minutes.';
  const result = await check.catch((cause: unknown) => {
    if (cause instanceof RosterError) throw cause;
    throw new RosterError('sign_in_failed', detail, { cause });
  });
  if (!result.verified) throw new RosterError('sign_in_failed', detail);
  return result;
}

/** Rejects with `sign_in_failed`. */
export async function verifyCreation(
  context: SignInContext,
  { origin, id: expectedRPID }: RelyingParty,
  { enrolling: { person, from }, response }: { enrolling: Enrolling; response: RegistrationResponseJSON },
) {
  const { verifyRegistrationResponse } = await webauthn();
  const expectedChallenge = takeChallenge(context, { purpose: 'new', personId: person.id, from });
  const { registrationInfo } = await verified(
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (registrationInfo === undefined) throw new RosterError('sign_in_failed');
  const { credential: made, credentialBackedUp: isSynced } = registrationInfo;
  const { id: credentialId, publicKey, counter, transports = [] } = made;
  return { credentialId, publicKey, counter, transports, isSynced };
}

/** Returns the passkey and its new signature count. Rejects with `sign_in_failed`. */
export async function verifyRequest(
  context: SignInContext,
  { origin, id: expectedRPID }: RelyingParty,
  response: AuthenticationResponseJSON,
): Promise<{ passkey: StoredPasskey; counter: number }> {
  const { verifyAuthenticationResponse } = await webauthn();
  const expectedChallenge = takeChallenge(context, { purpose: 'sign-in' });
  const [passkey] = await context.signIn.findPasskeys({ credentialId: response.id });
  if (passkey === undefined)
    throw new RosterError('sign_in_failed', 'The service does not know this passkey, or no longer.');
  const { userHandle } = response.response;
  const handle = userHandle && Buffer.from(userHandle, 'base64url').toString('hex');
  if (handle && handle !== passkey.personId.replaceAll('-', ''))
    throw new RosterError('sign_in_failed', 'The passkey is that of another person.');
  const stored: WebAuthnCredential = {
    id: passkey.credentialId,
    publicKey: new Uint8Array(passkey.publicKey),
    counter: passkey.counter,
  };
  const { authenticationInfo } = await verified(
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID,
      credential: stored,
    }),
  );
  return { passkey, counter: authenticationInfo.newCounter };
}
