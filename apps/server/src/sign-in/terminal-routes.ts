import { RosterError } from '@roster/api';
import { readSignIn, takeSignIn } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireMediaType } from '../http/media-types.ts';
import { digestOf, parseInput, requireProvider, type SignInContext, storeSecret, Token } from './context.ts';
import { admitPerson, type SignedInPerson } from './people.ts';
import { createSessionOf } from './provider-routes.ts';
import type { TerminalSignIn } from './terminal-code.ts';

const Exchange = z.strictObject({ code: Token, verifier: Token });
const Poll = z.strictObject({ code: Token });

/** A sign-in on another device, as the identity provider knows it. */
interface PendingDevice {
  deviceCode: string;
}

/** The session of a terminal, with its token, which is shown only here. */
interface TerminalSession {
  token: string;
  expiresAt: string;
  name: string;
}

/**
 * The sign-in of a terminal: `POST /sign-in/token` exchanges the code that a browser has brought it; `POST /sign-in/device` begins a
 * sign-in on another device, and `POST /sign-in/device/token` asks whether it is confirmed.
 */
export function registerTerminalRoutes(scope: FastifyInstance, context: SignInContext): void {
  const json = { onRequest: requireMediaType };
  scope.post('/sign-in/token', json, (request) => exchange(context, request));
  scope.post('/sign-in/device', json, (request) => startDevice(context, request));
  scope.post('/sign-in/device/token', json, async (request, reply) => {
    const answer = await pollDevice(context, request);
    return 'token' in answer ? answer : reply.code(202).send(answer);
  });
}

async function exchange(context: SignInContext, request: FastifyRequest): Promise<TerminalSession> {
  const { code, verifier } = parseInput(Exchange, request.body, false);
  const taken = { secret: code, kind: 'terminal', now: context.now() } as const;
  const signedIn = await takeSignIn<TerminalSignIn | PendingDevice>(context.db, taken);
  if (signedIn === undefined || !('challenge' in signedIn) || signedIn.challenge !== digestOf(verifier))
    throw new RosterError('sign_in_failed', 'The code is unknown, was used, or is older than two minutes.');
  return sessionFor(context, signedIn, request);
}

async function startDevice(context: SignInContext, request: FastifyRequest) {
  const provider = requireProvider(context);
  const begun = await context.outbound.run(request.raw, async () => {
    if ((await provider.support()).hasDeviceFlow) return provider.startDevice();
    throw new RosterError('no_such_route', 'The identity provider has no sign-in on another device.');
  });
  const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresInS, intervalS } = begun;
  const data: PendingDevice = { deviceCode };
  const code = await storeSecret(context, { kind: 'terminal', data, lifetimeMs: expiresInS * 1_000 });
  return {
    code,
    userCode,
    verificationUri,
    verificationUriComplete,
    expiresIn: expiresInS,
    interval: intervalS,
  };
}

async function pollDevice(
  context: SignInContext,
  request: FastifyRequest,
): Promise<TerminalSession | { status: 'authorization_pending' | 'slow_down' }> {
  const provider = requireProvider(context);
  const { code } = parseInput(Poll, request.body, false);
  const found = { secret: code, kind: 'terminal', now: context.now() } as const;
  const pending = await readSignIn<PendingDevice | TerminalSignIn>(context.db, found);
  if (pending === undefined || !('deviceCode' in pending))
    throw new RosterError('sign_in_failed', 'The code is unknown, was used, or is too old.');
  const { deviceCode } = pending;
  const confirmed = await context.outbound.run(request.raw, () => provider.pollDevice(deviceCode));
  if (typeof confirmed === 'string') return { status: confirmed };
  if ((await takeSignIn(context.db, found)) === undefined)
    throw new RosterError('sign_in_failed', 'The code was used meanwhile.');
  const person = await admitPerson(context, provider, { confirmed, requestId: request.id });
  return sessionFor(context, person, request);
}

async function sessionFor(
  context: SignInContext,
  person: SignedInPerson,
  request: FastifyRequest,
): Promise<TerminalSession> {
  const { token, expiresAt, hasEndedOldest } = await createSessionOf(context, person, request);
  if (hasEndedOldest) context.keys.invalidate();
  return { token, expiresAt: expiresAt.toISOString(), name: person.name };
}
