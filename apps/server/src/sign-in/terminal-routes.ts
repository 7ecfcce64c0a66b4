import { RosterError } from '@roster/api';
import { type CreatedSession, readSignIn, takeSignIn, takeTerminalCode } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireMediaType } from '../http/media-types.ts';
import { digestOf, parseInput, requireProvider, type SignInContext, storeSecret, Token } from './context.ts';
import { admitPerson, type SignedInPerson } from './people.ts';
import { createSessionOf } from './provider-routes.ts';
import type { TerminalSignIn } from './terminal-code.ts';

const Exchange = z.strictObject({ code: Token, verifier: Token });
const Poll = z.strictObject({ code: Token });

interface PendingDevice {
  deviceCode: string;
}

/** The token is shown only here. */
interface TerminalSession {
  token: string;
  expiresAt: string;
  name: string;
}

/** The code comes from a browser of the same computer; a sign-in on another device is confirmed there (RFC 8628). */
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
  const taken = { secret: code, now: context.now(), challenge: digestOf(verifier) };
  // In one transaction, so that ending the sessions of the person also ends this one or its code.
  const exchanged = await context.db.transaction().execute(async (trx) => {
    const person = await takeTerminalCode<TerminalSignIn>(trx, taken);
    return person && { person, session: await createSessionOf({ ...context, db: trx }, person, request) };
  });
  if (exchanged === undefined)
    throw new RosterError(
      'sign_in_failed',
      'The code is unknown, was used, is older than two minutes, or has ended with the sessions of the person.',
    );
  return shown(context, exchanged);
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
  const { person, stored: session } = await admitPerson(context, provider, {
    confirmed,
    requestId: request.id,
    store: (db, admitted) => createSessionOf({ ...context, db }, admitted, request),
  });
  return shown(context, { person, session });
}

/** Call it after the commit. */
function shown(
  { keys }: SignInContext,
  { person, session }: { person: SignedInPerson; session: CreatedSession },
): TerminalSession {
  const { token, expiresAt, hasEndedOldest } = session;
  if (hasEndedOldest) keys.invalidate();
  return { token, expiresAt: expiresAt.toISOString(), name: person.name };
}
