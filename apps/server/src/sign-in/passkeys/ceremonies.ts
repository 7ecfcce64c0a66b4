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

/** The longest time in which someone may answer their device. */
const CHALLENGE_MS = 5 * 60 * 1_000;
/** The name of the service in the dialog of the device. */
const RP_NAME = 'Roster';

const base64url = (lengthMax: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url')
    .max(lengthMax);

/** The 1,023 bytes that an id of a credential has at most (WebAuthn, section 4). */
const credentialId = base64url(1_364);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  // The results of extensions are not asked for.
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: z.string().max(100).nullish(),
};
const clientDataJSON = base64url(10_000);

/** A new credential as a browser describes it (WebAuthn, RegistrationResponseJSON); some of it is said twice. */
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

/** A signature as a browser describes it (WebAuthn, AuthenticationResponseJSON). */
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

/** The signatures that passkeys make, by their numbers in COSE: ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257];

/** The purpose of a challenge: a sign-in, or a new passkey of a person, for an invitation or a session. */
type Purpose = { purpose: 'sign-in' } | { purpose: 'new'; personId: string; from: string };

/** The library, which a server loads with the first passkey: without people it needs none. */
const webauthn = () => import('@simplewebauthn/server');

/** The place where passkeys are used: the origin, and the host as the identifier of the service (RP ID). */
export interface RelyingParty {
  origin: string;
  id: string;
}

/** The relying party of a request. Throws `sign_in_failed` if people sign in elsewhere, or the host has no name. */
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

/** A challenge, which can be used once, on any server. */
async function newChallenge({ signIn }: SignInContext, data: Purpose): Promise<Uint8Array<ArrayBuffer>> {
  const secret = await signIn.begin('passkey', { data, lifetimeMs: CHALLENGE_MS });
  return new Uint8Array(Buffer.from(secret, 'base64url'));
}

/** Takes a challenge, so that nobody can use it again. Returns whether it was made for this. */
function takeChallenge({ signIn }: SignInContext, wanted: Purpose) {
  return async (challenge: string): Promise<boolean> => {
    const taken = await signIn.take<Purpose>('passkey', challenge);
    return JSON.stringify(taken) === JSON.stringify(wanted);
  };
}

const shortened = ({ credentialId: id, transports }: StoredPasskey) => ({ id, transports: [...transports] });

/** The options with which the browser asks a device for a new passkey: one that needs no name, and that verifies its user. */
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

/** The options with which the browser asks a device to sign in. */
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

/** Rejects what a library says is wrong with an answer of a device. */
async function verified<Result extends { verified: boolean }>(check: Promise<Result>): Promise<Result> {
  const detail = 'The answer of the device is wrong, was used before, or took longer than five minutes.';
  const result = await check.catch((cause: unknown) => {
    if (cause instanceof RosterError) throw cause;
    throw new RosterError('sign_in_failed', detail, { cause });
  });
  if (!result.verified) throw new RosterError('sign_in_failed', detail);
  return result;
}

/** Checks a new credential of someone. Rejects with `sign_in_failed`. */
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

/** Checks a signature. Returns the passkey and the new count of its signatures. Rejects with `sign_in_failed`. */
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
