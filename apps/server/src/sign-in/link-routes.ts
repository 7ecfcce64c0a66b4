import { RosterError } from '@roster/api';
import { createFirstLink } from '@roster/api/server';
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
  clientOf,
  parseInput,
  requireOrigin,
  requireOwnPage,
  type SignInContext,
  setSession,
} from './context.ts';
import { sendSignedIn } from './pages.ts';
import { ReturnTo } from './return-to.ts';

interface LinkData {
  returnTo: string;
}

/** Returns the URL with which the first person signs in, as admin. */
export async function createFirstLinkUrl(
  { db, now }: { db: Kysely<Database>; now: () => Date },
  origin: string,
): Promise<string> {
  const data: LinkData = { returnTo: '/' };
  return linkUrl(origin, await createFirstLink(db, { now: now(), data }));
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
  const origin = requireOrigin(request, context);
  requireOwnPage(request, origin, 'A key is exchanged only for a page of this service.');
  const { key } = parseInput(Key, request.body, false);
  const session = await context.signIn.openWithKey(key.trim(), clientOf(request));
  return setSession(context, reply, { origin, session }).code(204).send();
}

const LinkInput = z.strictObject({ returnTo: ReturnTo }).prefault({});

async function createLink(context: SignInContext, request: FastifyRequest) {
  const origin = requireOrigin(request, context);
  const data: LinkData = parseInput(LinkInput, request.body ?? undefined, false);
  const caller = callerOf(request);
  const made = await context.signIn.createLink(caller, { credential: credentialOf(request), data });
  return { url: linkUrl(origin, made.secret), expiresAt: made.expiresAt.toISOString() };
}

const Link = z.strictObject({ token: z.string().max(200) });

async function openLink(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = requireOrigin(request, context);
  const { token } = parseInput(Link, singleValues(parseQuery(request.url)), true);
  // A page elsewhere could sign someone in with a link of its own (login CSRF).
  if (isForeign(request.headers, origin))
    throw new RosterError('sign_in_failed', 'Paste the link into the address bar: another site led here.');
  const { session, data } = await context.signIn.openLink<LinkData>(token, clientOf(request));
  return sendSignedIn(setSession(context, reply, { origin, session }), data.returnTo);
}
