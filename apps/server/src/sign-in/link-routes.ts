import { RosterError } from '@roster/api';
import {
  createFirstPerson,
  findOwner,
  recordSignIn,
  type SessionOwner,
  storeLink,
  takeLink,
} from '@roster/api/server';
import type { Database } from '@roster/db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { credentialOf, requireCaller } from '../http/hooks/authentication.ts';
import { callerOf } from '../http/identity.ts';
import { requireMediaType } from '../http/media-types.ts';
import { isForeign } from '../http/own-origin.ts';
import { parseQuery, singleValues } from '../http/query-string.ts';
import {
  newSession,
  parseInput,
  randomToken,
  requireOrigin,
  requireOwnPage,
  type SignInContext,
  setSession,
  storeSecret,
} from './context.ts';
import { sendSignedIn } from './pages.ts';
import { ReturnTo } from './return-to.ts';

const LINK_MS = 10 * 60 * 1_000;

interface LinkData {
  returnTo: string;
}

/** Returns the URL with which the first person signs in, as admin. */
export async function createFirstLink(
  context: Pick<SignInContext, 'db' | 'now'>,
  origin: string,
): Promise<string> {
  const data: LinkData = { returnTo: '/' };
  return linkUrl(origin, await storeSecret(context, { kind: 'link', data, lifetimeMs: LINK_MS }));
}

const linkUrl = (origin: string, secret: string) => `${origin}/sign-in/link?token=${secret}`;

/** Sign-in without an identity provider, by a key or by a link that works once. */
export function registerLinkRoutes(scope: FastifyInstance, context: SignInContext): void {
  const own = { onRequest: [requireCaller, requireMediaType] };
  scope.post('/sign-in/key', { onRequest: requireMediaType }, (request, reply) =>
    exchangeKey(context, request, reply),
  );
  scope.post('/sign-in/links', own, async (request, reply) =>
    reply.code(201).send(await createLink(context, request)),
  );
  scope.get('/sign-in/link', { exposeHeadRoute: false }, (request, reply) =>
    openLink(context, request, reply),
  );
}

const Key = z.strictObject({ key: z.string().max(500) });

async function exchangeKey(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, now, keys, lifetimeMs } = context;
  const origin = requireOrigin(request, context);
  requireOwnPage(request, origin, 'A key is exchanged only for a page of this service.');
  const { key } = parseInput(Key, request.body, false);
  const secret = key.trim();
  const caller = await keys.callerOf(`Bearer ${secret}`);
  if (caller.sessionId !== undefined)
    throw new RosterError('sign_in_failed', 'This is the token of a session, not a key.');
  const owner = await findOwner(db, caller, secret);
  const session = await newSession(db, request, { ...owner, method: 'key', now: now(), lifetimeMs });
  return setSession(context, reply, { origin, session }).code(204).send();
}

const LinkInput = z.strictObject({ returnTo: ReturnTo }).prefault({});

/** Link and session end with the session or the key that made the link. */
async function createLink(context: SignInContext, request: FastifyRequest) {
  const { db, now: currentTime } = context;
  const origin = requireOrigin(request, context);
  const data: LinkData = parseInput(LinkInput, request.body ?? undefined, false);
  const caller = callerOf(request);
  const owner = await findOwner(db, caller, credentialOf(request));
  const now = currentTime();
  const secret = randomToken();
  await storeLink(db, { secret, now, data, owner, sessionId: caller.sessionId, lifetimeMs: LINK_MS });
  return { url: linkUrl(origin, secret), expiresAt: new Date(now.getTime() + LINK_MS).toISOString() };
}

/** Undefined if there is a person already. */
async function firstOwner(trx: Kysely<Database>, cause: { now: Date; requestId: string }) {
  const personId = await createFirstPerson(trx, cause);
  return personId === undefined ? undefined : { personId };
}

/** Records the sign-in; undefined if the owner may no longer sign in. */
async function ownerOfLink(
  trx: Kysely<Database>,
  { owner, now }: { owner: SessionOwner; now: Date },
): Promise<SessionOwner | undefined> {
  if (!('personId' in owner)) return owner;
  return (await recordSignIn(trx, { id: owner.personId, now })) ? owner : undefined;
}

const Link = z.strictObject({ token: z.string().max(200) });

async function openLink(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, now, lifetimeMs, idleMs } = context;
  const origin = requireOrigin(request, context);
  const { token } = parseInput(Link, singleValues(parseQuery(request.url)), true);
  // A page elsewhere could sign someone in with a link of its own (login CSRF).
  if (isForeign(request.headers, origin))
    throw new RosterError('sign_in_failed', 'Paste the link into the address bar: another site led here.');
  const at = now();
  const opened = await db.transaction().execute(async (trx) => {
    const link = await takeLink<LinkData>(trx, { secret: token, now: at, idleMs });
    if (link === undefined) return undefined;
    const owner =
      link.owner === undefined
        ? await firstOwner(trx, { now: at, requestId: request.id })
        : await ownerOfLink(trx, { owner: link.owner, now: at });
    if (owner === undefined) return undefined;
    const meta = { method: 'link', openedBy: link.openedBy, now: at, lifetimeMs } as const;
    const session = await newSession(trx, request, { ...owner, ...meta });
    return { session, returnTo: link.data.returnTo };
  });
  if (opened === undefined)
    throw new RosterError(
      'sign_in_failed',
      'The link is unknown, was used or replaced by newer ones, has expired, has ended with the session that made it, or its person was changed since.',
    );
  const { session, returnTo } = opened;
  return sendSignedIn(setSession(context, reply, { origin, session }), returnTo);
}
