import { PasskeyName, RosterError } from '@roster/api';
import {
  createPasskey,
  findPerson,
  findSession,
  recordSignIn,
  recordUseOfPasskey,
  toRosterError,
} from '@roster/api/server';
import { codeOf, SQLSTATE } from '@roster/db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireCaller } from '../../http/hooks/authentication.ts';
import { callerOf } from '../../http/identity.ts';
import { charge } from '../../http/limits/rate-limit.ts';
import { requireMediaType } from '../../http/media-types.ts';
import { newSession, parseInput, requireOwnPage, type SignInContext, setSession } from '../context.ts';
import {
  Assertion,
  creationOptions,
  type Enrolling,
  NewCredential,
  type RelyingParty,
  requestOptions,
  requireRelyingParty,
  verifyCreation,
  verifyRequest,
} from './ceremonies.ts';

/** These requests write a row or check a signature. */
const EXTRA_COST = 4;
/** A passkey outlives a stolen session, so only a fresh session may add one. */
const FRESH_MS = 30 * 60 * 1_000;

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
    return creationOptions(context, party, await requireFreshPerson(context, request));
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
  const { db, now, lifetimeMs } = context;
  const party = await requirePage(request, context);
  const { response } = parseInput(SignIn, request.body, false);
  const { passkey, counter } = await verifyRequest(context, party, response);
  const { id: passkeyId, personId } = passkey;
  const at = now();
  const session = await db.transaction().execute(async (trx) => {
    // Locks the person first, in the same order as changes of people.
    if (!(await recordSignIn(trx, { id: personId, now: at })))
      throw new RosterError('sign_in_denied', 'You may not sign in any more.');
    if (!(await recordUseOfPasskey(trx, { id: passkeyId, counter, now: at })))
      throw new RosterError('sign_in_failed', 'The passkey was removed, or a copy of it is in use.');
    return newSession(trx, request, { personId, method: 'passkey', passkeyId, now: at, lifetimeMs });
  });
  return setSession(context, reply, { origin: party.origin, session }).code(204).send();
}

/** Rejects with `sign_in_failed`. */
async function requireFreshPerson({ db, now }: SignInContext, request: FastifyRequest): Promise<Enrolling> {
  const { type, id, sessionId } = callerOf(request);
  const person = type === 'person' ? await findPerson(db, id) : undefined;
  const session = sessionId === undefined ? undefined : await findSession(db, sessionId);
  if (person === undefined || session === undefined)
    throw new RosterError('sign_in_failed', 'Only people have passkeys, and add them in a browser.');
  if (now().getTime() - Date.parse(session.signedInAt) > FRESH_MS)
    throw new RosterError(
      'sign_in_failed',
      'Sign in again first: a passkey is added within 30 minutes of signing in.',
    );
  return { person, from: session.id };
}

async function addPasskey(context: SignInContext, request: FastifyRequest) {
  const party = await requirePage(request, context);
  const { name, response } = parseInput(NewPasskey, request.body, false);
  const enrolling = await requireFreshPerson(context, request);
  const made = await verifyCreation(context, party, { enrolling, response });
  const { id: personId } = enrolling.person;
  const passkey = { ...made, personId, name, now: context.now(), requestId: request.id };
  return context.db
    .transaction()
    .execute((trx) => createPasskey(trx, passkey))
    .catch(rejectKnown);
}

/** Rejects with `sign_in_failed` if the passkey is known, or the person was deleted meanwhile. */
export function rejectKnown(error: unknown): never {
  const code = error instanceof Error ? codeOf(error) : undefined;
  if (code === SQLSTATE.uniqueViolation)
    throw new RosterError('sign_in_failed', 'This passkey is set up already.', { cause: error });
  if (code === SQLSTATE.foreignKeyViolation)
    throw new RosterError('sign_in_failed', 'The person is gone.', { cause: error });
  throw toRosterError(error);
}
