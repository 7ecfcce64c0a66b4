import { PersonEmail, RosterError } from '@roster/api';
import { EMAIL_LINK_MS, type EmailLink } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieNamesOf, cookieOf, setCookie } from '../http/cookies.ts';
import { charge } from '../http/limits/rate-limit.ts';
import { requireMediaType } from '../http/media-types.ts';
import {
  clientOf,
  digestOf,
  parseInput,
  randomToken,
  requireOrigin,
  requireOwnPage,
  type SignInContext,
  setSession,
  Token,
} from './context.ts';

/** These requests write rows, and one may send a message. */
const EXTRA_COST = 4;

const Begin = z.strictObject({ email: PersonEmail });
const Open = z.strictObject({ token: Token });

/**
 * Signs people in with a link in an email. Programs that check links open them too, so the page of the link
 * asks for a click. A forwarded link signs nobody in: it works in the browser that asked for it.
 */
export function registerEmailRoutes(scope: FastifyInstance, context: SignInContext): void {
  const json = { onRequest: requireMediaType };
  const sending = new Set<Promise<void>>();
  scope.addHook('onClose', async () => {
    await Promise.all(sending);
  });
  scope.post('/sign-in/email/begin', json, async (request, reply) => {
    const { origin, send } = await requirePage(request, context);
    const { email } = parseInput(Begin, request.body, false);
    const { browser, expiresAt } = bindBrowser(context, { request, reply, origin });
    const link = await context.signIn.createEmailLink({ email, browser: digestOf(browser) });
    // The response doesn't wait for the mail server, so that the time tells nobody who has access.
    const sent = link && deliver(request, { link, origin, send });
    if (sent !== undefined) {
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    }
    return reply.code(202).send({ expiresAt });
  });
  scope.post('/sign-in/email', json, (request, reply) => open(context, request, reply));
}

/** Charges the request. Throws `no_such_route` if no links are sent, `sign_in_failed`. */
async function requirePage(request: FastifyRequest, context: SignInContext) {
  await charge(request, EXTRA_COST);
  const { sendSignInLink: send } = context;
  if (send === undefined)
    throw new RosterError(
      'no_such_route',
      'This service sends no links to sign in: it needs a mail server (ROSTER_SMTP_URL) and the console, and no identity provider.',
    );
  const origin = requireOrigin(request, context);
  requireOwnPage(request, origin, 'Links are sent and opened only for a page of this service.');
  return { origin, send };
}

/** Keeps the cookie of a browser that has one, so that its earlier links work until a newer one is sent. */
function bindBrowser(
  { now }: SignInContext,
  { request, reply, origin }: { request: FastifyRequest; reply: FastifyReply; origin: string },
) {
  const name = cookieNamesOf(origin).signIn;
  const browser = Token.safeParse(cookieOf(request.headers, name)).data ?? randomToken();
  reply.header('Set-Cookie', setCookie({ name, value: browser, maxAgeS: EMAIL_LINK_MS / 1_000 }));
  return { browser, expiresAt: new Date(now().getTime() + EMAIL_LINK_MS).toISOString() };
}

/** The token follows `#`, so that no log and no other site gets it. Never rejects. */
async function deliver(
  { log, id }: FastifyRequest,
  {
    link: { to, secret, expiresAt },
    origin,
    send,
  }: { link: EmailLink; origin: string; send: NonNullable<SignInContext['sendSignInLink']> },
): Promise<void> {
  const link = `${origin}/console/sign-in/email#${secret}`;
  const { isAccepted, response } = await send({ to, link, expiresAt: expiresAt.toISOString() });
  if (!isAccepted) log.warn({ reqId: id, response }, 'a link to sign in was not sent');
}

async function open(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { origin } = await requirePage(request, context);
  const { token: secret } = parseInput(Open, request.body, false);
  const cookie = cookieOf(request.headers, cookieNamesOf(origin).signIn);
  const link = { secret, browser: cookie && digestOf(cookie) };
  const session = await context.signIn.openEmailLink(link, clientOf(request));
  return setSession(context, reply, { origin, session }).code(204).send();
}
