import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { charge } from '../../http/limits/rate-limit.ts';
import { requireMediaType } from '../../http/media-types.ts';
import {
  clientOf,
  parseInput,
  requireOrigin,
  requireOwnPage,
  type SignInContext,
  setSession,
  Token,
} from '../context.ts';
import { creationOptions, requireRelyingParty, verifyCreation } from './ceremonies.ts';
import { NewPasskey, requirePage } from './routes.ts';

const Open = z.strictObject({ token: Token });
const Accept = Open.extend({ passkey: NewPasskey.optional() });
const OPENED_COST = 4;

/**
 * Programs that check links open invitations too, so `/sign-in/invitation/open` does not use one up. Without a passkey an invitation
 * signs in once.
 */
export function registerInvitationRoutes(scope: FastifyInstance, context: SignInContext): void {
  const json = { onRequest: requireMediaType };
  scope.post('/sign-in/invitation/open', json, (request) => openInvitation(context, request));
  scope.post('/sign-in/invitation/begin', json, async (request) => {
    const party = await requirePage(request, context);
    const { id, person } = await requireInvitation(context, parseInput(Open, request.body, false).token);
    return creationOptions(context, party, { person, from: id });
  });
  scope.post('/sign-in/invitation', json, (request, reply) => accept(context, request, reply));
}

/** Rejects with `sign_in_failed`. */
async function requireInvitation({ signIn, provider }: SignInContext, secret: string) {
  if (provider !== undefined)
    throw new RosterError('sign_in_failed', 'People sign in at the identity provider, not with invitations.');
  return signIn.findInvitation(secret);
}

async function openInvitation(context: SignInContext, request: FastifyRequest) {
  await charge(request, OPENED_COST);
  const { person, expiresAt } = await requireInvitation(context, parseInput(Open, request.body, false).token);
  const { name, email } = person;
  return { name, email, expiresAt: expiresAt.toISOString() };
}

async function accept(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await charge(request, OPENED_COST);
  const origin = requireOrigin(request, context);
  requireOwnPage(request, origin, 'An invitation is accepted only by a page of this service.');
  const { token: secret, passkey } = parseInput(Accept, request.body, false);
  const { id, person } = await requireInvitation(context, secret);
  const made =
    passkey === undefined
      ? undefined
      : await verifyCreation(context, requireRelyingParty(request, context), {
          enrolling: { person, from: id },
          response: passkey.response,
        });
  const accepted = { secret, passkey: made && passkey && { ...made, name: passkey.name } };
  const session = await context.signIn.acceptInvitation(accepted, clientOf(request));
  return setSession(context, reply, { origin, session }).code(204).send();
}
