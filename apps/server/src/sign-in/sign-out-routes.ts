import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieNamesOf, setCookie } from '../http/cookies.ts';
import { callerOf } from '../http/identity.ts';
import { decodeBody } from '../http/json.ts';
import type { RequestBodies } from '../http/limits/request-bodies.ts';
import { ownOriginOf } from '../http/own-origin.ts';
import { parseQuery } from '../http/query-string.ts';
import { ProviderIdentifier } from './claims.ts';
import { clientOf, requireProvider, type SignInContext } from './context.ts';
import { toSignInError } from './provider-errors.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_MAX_BYTES = 32 * 1024;
/** The ID of a token is kept for longer, so that it cannot be used again. */
const TOKEN_MAX_AGE = '5 minutes';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** `/sign-out/back-channel` is for the identity provider (OpenID Connect Back-Channel Logout 1.0). */
export function registerSignOutRoutes(
  scope: FastifyInstance,
  context: SignInContext,
  bodies: RequestBodies,
): void {
  scope.post('/sign-out', (request, reply) => signOut(context, request, reply));
  scope.register(async (form) => {
    bodies.parseIn(form, [FORM], (bytes) => parseQuery(`?${decodeBody(bytes)}`));
    form.post('/sign-out/back-channel', { bodyLimit: FORM_MAX_BYTES }, async (request, reply) => {
      await endByProvider(context, request);
      return reply.header('Cache-Control', 'no-store').code(200).send();
    });
  });
}

/** Returns the URL that ends the session at the identity provider; null without one. */
async function signOut(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ signOutUrl: string | null }> {
  const { publicUrl } = context;
  const { sessionId, id: actorId } = sessionOf(request);
  let signOutUrl: string | undefined;
  if (sessionId !== undefined) {
    const idToken = await context.signIn.end(sessionId, { actorId, requestId: request.id });
    signOutUrl = await endSessionUrl(context, request, idToken);
  }
  const origin = ownOriginOf(request.headers, publicUrl);
  if (request.sessionCredential !== undefined && origin !== undefined) {
    reply.header('Set-Cookie', setCookie({ name: cookieNamesOf(origin).session, value: '', maxAgeS: 0 }));
    // The browser drops what it has cached for this session.
    reply.header('Clear-Site-Data', '"cache"');
  }
  reply.header('Cache-Control', 'no-store');
  return { signOutUrl: signOutUrl ?? null };
}

/** A cookie of an ended session is only deleted. Throws `unauthenticated`. */
function sessionOf(request: FastifyRequest): { sessionId: string | undefined; id: string | null } {
  const isEndedCookie = request.identity !== null && 'failure' in request.identity;
  if (request.sessionCredential !== undefined && isEndedCookie) return { sessionId: undefined, id: null };
  const { sessionId, id } = callerOf(request);
  if (sessionId === undefined) throw new RosterError('unauthenticated', 'A key has no session to end.');
  return { sessionId, id };
}

/** The session has ended in any case: a provider that does not respond is no error. */
async function endSessionUrl(
  { provider, outbound }: SignInContext,
  request: FastifyRequest,
  idToken: string | undefined,
): Promise<string | undefined> {
  if (provider === undefined || idToken === undefined) return undefined;
  return outbound.run(request.raw, () => provider.endSessionUrl(idToken)).catch(() => undefined);
}

const LogoutClaims = z
  .looseObject({
    iss: z.string(),
    jti: z.string().min(1).max(500),
    sub: ProviderIdentifier.optional(),
    sid: ProviderIdentifier.optional(),
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** Rejects with `invalid_logout_token`. */
async function endByProvider(context: SignInContext, request: FastifyRequest): Promise<void> {
  const { iss: issuer, jti: tokenId, sub, sid } = await readLogoutClaims(context, request);
  const named = sid === undefined ? { subject: sub ?? '' } : { providerSession: sid };
  const isNew = await context.signIn.endByProvider({ tokenId, issuer, ...named }, clientOf(request));
  if (!isNew) throw invalid('It was used before.');
}

async function readLogoutClaims(context: SignInContext, request: FastifyRequest) {
  const provider = requireProvider(context);
  const [token, more] = (request.body as Record<string, string[]> | undefined)?.logout_token ?? [];
  if (token === undefined || more !== undefined) throw invalid('There must be one logout_token.');
  const options = { maxTokenAge: TOKEN_MAX_AGE, requiredClaims: ['jti', 'events'] };
  const verifying = context.outbound.run(request.raw, () => provider.verify(token, options));
  const { payload, protectedHeader } = await verifying.catch((thrown: unknown) => {
    const error = toSignInError(thrown);
    throw error.errorCode === 'sign_in_failed'
      ? invalid('Its signature or its claims are wrong.', thrown)
      : error;
  });
  const claims = LogoutClaims.safeParse(payload);
  // The same key signs ID tokens.
  const isTyped = [undefined, 'jwt', 'logout+jwt'].includes(protectedHeader.typ?.toLowerCase());
  if (!claims.success || !isTyped)
    throw invalid('It is a token for something else, or one of its claims is not valid.');
  return claims.data;
}

function invalid(detail: string, cause?: unknown): RosterError {
  return new RosterError('invalid_logout_token', detail, { cause });
}
