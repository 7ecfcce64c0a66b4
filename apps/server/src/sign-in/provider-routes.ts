import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieNamesOf, cookieOf, setCookie } from '../http/cookies.ts';
import { isForeign } from '../http/own-origin.ts';
import { parseQuery, singleValues } from '../http/query-string.ts';
import { readConfirmed } from './claims.ts';
import {
  clientOf,
  digestOf,
  parseInput,
  randomToken,
  requireOrigin,
  requireProvider,
  type SignInContext,
  setSession,
  Token,
} from './context.ts';
import { sendPage, sendSignedIn } from './pages.ts';
import { ReturnTo } from './return-to.ts';

/** Listens on the loopback interface (RFC 8252). */
const Terminal = z.strictObject({
  port: z
    .string()
    .regex(/^\d{4,5}$/, 'must be the number of a port')
    .transform(Number)
    .pipe(z.int().min(1_024).max(65_535)),
  /** The SHA-256 of the secret that exchanges the code (PKCE). */
  challenge: Token,
  state: Token,
});
type Terminal = z.output<typeof Terminal>;

function terminalUrl({ port, state }: Terminal, code: string): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`;
}

const PENDING_MS = 10 * 60 * 1_000;

const Start = z
  .strictObject({ returnTo: ReturnTo, ...Terminal.partial().shape })
  .refine(isWhole, { error: 'must be given together with challenge and state', path: ['port'] });

function isWhole({ port, challenge, state }: { [Name in keyof Terminal]?: unknown }): boolean {
  return new Set([port, challenge, state].map((value) => value === undefined)).size === 1;
}

interface Pending {
  nonce: string;
  verifier: string;
  returnTo: string;
  /** The SHA-256 of its cookie: the sign-in ends in the browser in which it began. */
  browser: string;
  terminal?: Terminal | undefined;
}

export function registerProviderRoutes(scope: FastifyInstance, context: SignInContext): void {
  const getOnly = { exposeHeadRoute: false };
  scope.get('/sign-in', getOnly, (request, reply) => start(context, request, reply));
  scope.get('/sign-in/callback', getOnly, (request, reply) => finish(context, request, reply));
}

async function start(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const provider = requireProvider(context);
  const origin = requireOrigin(request, context);
  const input = parseInput(Start, singleValues(parseQuery(request.url)), true);
  const { returnTo, ...rest } = input;
  const terminal = rest.port === undefined ? undefined : (rest as Terminal);
  // The terminal may belong to another user of the computer.
  if (terminal !== undefined && isForeign(request.headers, origin))
    throw new RosterError('sign_in_failed', 'Open this address yourself, not by a link of another site.');
  const name = cookieNamesOf(origin).signIn;
  const sent = cookieOf(request.headers, name);
  // One cookie for sign-ins in several tabs.
  const browser = Token.safeParse(sent).data ?? randomToken();
  const [state, nonce, verifier] = [randomToken(), randomToken(), randomToken()];
  const url = await context.outbound.run(request.raw, () =>
    provider.authorizationUrl({ state, nonce, verifier }),
  );
  const data: Pending = { nonce, verifier, returnTo, browser: digestOf(browser), terminal };
  await context.signIn.begin('provider', { secret: state, data, lifetimeMs: PENDING_MS });
  const cookie = setCookie({ name, value: browser, maxAgeS: PENDING_MS / 1_000 });
  return reply.header('Set-Cookie', cookie).header('Cache-Control', 'no-store').redirect(url, 303);
}

async function finish(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const provider = requireProvider(context);
  const origin = requireOrigin(request, context);
  const [state = ''] = parseQuery(request.url).state ?? [];
  const pending = await context.signIn.take<Pending>('provider', state);
  if (pending === undefined)
    throw new RosterError(
      'sign_in_failed',
      'This sign-in is unknown, was used, or took longer than ten minutes.',
    );
  // Otherwise someone could sign another person in as themselves (login CSRF).
  const browser = cookieOf(request.headers, cookieNamesOf(origin).signIn);
  if (browser === undefined || digestOf(browser) !== pending.browser)
    throw new RosterError('sign_in_failed', 'This sign-in began in another browser.');
  const { nonce, verifier, terminal, returnTo } = pending;
  const query = request.url.slice(request.url.indexOf('?'));
  const response = await context.outbound.run(request.raw, () =>
    provider.confirm(query, { state, nonce, verifier }),
  );
  const confirmed = readConfirmed(response, provider.config);
  if (terminal !== undefined) {
    const { challenge } = terminal;
    const admitting = { challenge, requestId: request.id };
    return leadToTerminal(reply, {
      terminal,
      ...(await context.signIn.admitForTerminal(confirmed, admitting)),
    });
  }
  const { session } = await context.signIn.admit(confirmed, clientOf(request));
  return sendSignedIn(setSession(context, reply, { origin, session }), returnTo);
}

/** The page asks first: someone else may have sent the address. */
function leadToTerminal(
  reply: FastifyReply,
  { terminal, code, name }: { terminal: Terminal; code: string; name: string },
): FastifyReply {
  return sendPage(reply, {
    title: 'Sign in to the terminal?',
    text: [
      `A program on this computer, at port ${terminal.port}, wants to act as ${name}.`,
      'Continue only if you have just run roster login.',
    ],
    link: { href: terminalUrl(terminal, code), text: 'Continue to the terminal' },
  });
}
