import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { callSignIn, type SignInMethods } from './sign-in.ts';

/** Why no passkey was made or used: the person or the device has said no, it is set up already, or the browser has none. */
export type PasskeyFailure = 'declined' | 'known' | 'unsupported';

export class PasskeyError extends Error {
  readonly failure: PasskeyFailure;

  constructor(failure: PasskeyFailure, cause: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

const library = () => import('@simplewebauthn/browser');

async function fromDevice<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError') throw new PasskeyError('known', error);
    // Also for a browser that may not ask, or whose question stays without an answer.
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyError('declined', error);
    throw new PasskeyError('unsupported', error);
  }
}

async function created(options: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await library();
  return fromDevice(() => startRegistration({ optionsJSON: options }));
}

/** Sets up a passkey with an invitation, and signs in. Rejects with `PasskeyError`, or with what the service says is wrong. */
export async function acceptInvitation(token: string, name: string): Promise<void> {
  const response = await created(await callSignIn('/sign-in/invitation/begin', { token }));
  await callSignIn('/sign-in/invitation', { token, passkey: { name, response } });
}

export async function addPasskey(name: string): Promise<void> {
  const response = await created(await callSignIn('/sign-in/new-passkey/begin', {}));
  await callSignIn('/sign-in/new-passkey', { name, response });
}

export async function signInWithPasskey(): Promise<void> {
  const options = await callSignIn<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/begin', {});
  const { startAuthentication } = await library();
  const response = await fromDevice(() => startAuthentication({ optionsJSON: options }));
  await callSignIn('/sign-in/passkey', { response });
}

/** The place of the service's passkeys: this page, another address of it, or none. */
export function passkeyPlace({ passkeyOrigin }: SignInMethods): 'here' | { origin: string } | undefined {
  if (passkeyOrigin === null) return undefined;
  return passkeyOrigin === window.location.origin ? 'here' : { origin: passkeyOrigin };
}
