import { PasskeyName } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireCaller } from '../../http/hooks/authentication.ts';
import { callerOf } from '../../http/identity.ts';
import { charge } from '../../http/limits/rate-limit.ts';
import { requireMediaType } from '../../http/media-types.ts';
import { clientOf, parseInput, requireOwnPage, type SignInContext, setSession } from '../context.ts';
import {
  Assertion,
  creationOptions,
  NewCredential,
  type RelyingParty,
  requestOptions,
  requireRelyingParty,
  verifyCreation,
  verifyRequest,
} from './ceremonies.ts';

/** These requests write a row or check a signature. */
const EXTRA_COST = 4;

export function registerPasskeyRoutes(scope: FastifyInstance, context: SignInContext): void {
  const json = { onRequest: requireMediaType };
  const own = { onRequest: [requireCaller, requireMediaType] };
  scope.post('/sign-in/passkey/begin', json, async (request) => {
    const party = await requirePage(request, context);
    parseInput(Nothing, request.body ?? undefined, false);
    return requestOptions(context, party);
  });
  scope.post('/sign-in/passkey', json, (request, reply) => signIn(context, request, reply));
  scope.post('/sign-in/new-passkey/begin', own, async (request) => {
    const party = await requirePage(request, context);
    parseInput(Nothing, request.body ?? undefined, false);
    return creationOptions(context, party, await context.signIn.requireFreshPerson(callerOf(request)));
  });
  scope.post('/sign-in/new-passkey', own, async (request, reply) =>
    reply.code(201).send(await addPasskey(context, request)),
  );
}

const Nothing = z.strictObject({}).prefault({});
const SignIn = z.strictObject({ response: Assertion });
export const NewPasskey = z.strictObject({ name: PasskeyName, response: NewCredential });

/** Only pages of this service sign in here. Charges the request. */
export async function requirePage(request: FastifyRequest, context: SignInContext): Promise<RelyingParty> {
  await charge(request, EXTRA_COST);
  const party = requireRelyingParty(request, context);
  requireOwnPage(request, party.origin, 'Passkeys are used only by a page of this service.');
  return party;
}

async function signIn(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const party = await requirePage(request, context);
  const { response } = parseInput(SignIn, request.body, false);
  const used = await verifyRequest(context, party, response);
  const session = await context.signIn.openWithPasskey(used, clientOf(request));
  return setSession(context, reply, { origin: party.origin, session }).code(204).send();
}

async function addPasskey(context: SignInContext, request: FastifyRequest) {
  const party = await requirePage(request, context);
  const { name, response } = parseInput(NewPasskey, request.body, false);
  const enrolling = await context.signIn.requireFreshPerson(callerOf(request));
  const made = await verifyCreation(context, party, { enrolling, response });
  const { id: personId } = enrolling.person;
  return context.signIn.addPasskey({ ...made, personId, name }, clientOf(request));
}
