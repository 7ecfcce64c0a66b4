import { RosterError } from '@roster/api';
import { acceptInvitation, createPasskey, findInvitation } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { charge } from '../../http/limits/rate-limit.ts';
import { requireMediaType } from '../../http/media-types.ts';
import {
  newSession,
  parseInput,
  requireOrigin,
  requireOwnPage,
  type SignInContext,
  setSession,
  Token,
} from '../context.ts';
import { creationOptions, requireRelyingParty, verifyCreation } from './ceremonies.ts';
import { NewPasskey, rejectKnown, requirePage } from './routes.ts';

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

const ENDED =
  'The link is unknown, was used, revoked or replaced by a newer one, has expired, or its person was changed since. Ask for another one.';

/** Rejects with `sign_in_failed`. */
async function requireInvitation({ db, now, provider }: SignInContext, secret: string) {
  if (provider !== undefined)
    throw new RosterError('sign_in_failed', 'People sign in at the identity provider, not with invitations.');
  const invitation = await findInvitation(db, { secret, now: now() });
  if (invitation === undefined) throw new RosterError('sign_in_failed', ENDED);
  return invitation;
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
  const { db, now, lifetimeMs } = context;
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
  const at = now();
  const cause = { now: at, requestId: request.id };
  const session = await db
    .transaction()
    .execute(async (trx) => {
      const personId = await acceptInvitation(trx, { secret, ...cause });
      if (personId === undefined) throw new RosterError('sign_in_failed', ENDED);
      const stored =
        made && passkey && (await createPasskey(trx, { ...made, personId, name: passkey.name, ...cause }));
      const how =
        stored === undefined
          ? { method: 'link' as const }
          : { method: 'passkey' as const, passkeyId: stored.id };
      return newSession(trx, request, { personId, ...how, now: at, lifetimeMs });
    })
    .catch(rejectKnown);
  return setSession(context, reply, { origin, session }).code(204).send();
}
