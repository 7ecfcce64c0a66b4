import { RosterError } from '@roster/api';
import type { CreatedSession } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireMediaType } from '../http/media-types.ts';
import { readConfirmed } from './claims.ts';
import { clientOf, digestOf, parseInput, requireProvider, type SignInContext, Token } from './context.ts';

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
    const response = await pollDevice(context, request);
    return 'token' in response ? response : reply.code(202).send(response);
  });
}

async function exchange(context: SignInContext, request: FastifyRequest): Promise<TerminalSession> {
  const { code, verifier } = parseInput(Exchange, request.body, false);
  const exchanged = { code, challenge: digestOf(verifier) };
  return shown(await context.signIn.exchange(exchanged, clientOf(request)));
}

async function startDevice(context: SignInContext, request: FastifyRequest) {
  const provider = requireProvider(context);
  const begun = await context.outbound.run(request.raw, async () => {
    if ((await provider.support()).hasDeviceFlow) return provider.startDevice();
    throw new RosterError('no_such_route', 'The identity provider has no sign-in on another device.');
  });
  const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresInS, intervalS } = begun;
  const data: PendingDevice = { deviceCode };
  const code = await context.signIn.begin('terminal', { data, lifetimeMs: expiresInS * 1_000 });
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
  const pending = await context.signIn.read<PendingDevice | { deviceCode?: undefined }>('terminal', code);
  if (pending?.deviceCode === undefined)
    throw new RosterError('sign_in_failed', 'The code is unknown, was used, or is too old.');
  const { deviceCode } = pending;
  const response = await context.outbound.run(request.raw, () => provider.pollDevice(deviceCode));
  if (typeof response === 'string') return { status: response };
  if ((await context.signIn.take('terminal', code)) === undefined)
    throw new RosterError('sign_in_failed', 'The code was used meanwhile.');
  return shown(await context.signIn.admit(readConfirmed(response, provider.config), clientOf(request)));
}

function shown({ name, session }: { name: string; session: CreatedSession }): TerminalSession {
  return { token: session.token, expiresAt: session.expiresAt.toISOString(), name };
}
