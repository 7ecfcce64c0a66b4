import { hash, randomBytes } from 'node:crypto';
import { RosterError } from '@roster/api';
import { type CreatedSession, type SignIn, type SignInClient, toRosterError } from '@roster/api/server';
import { TRPCError } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COOKIE_AGE_MAX_S, cookieNamesOf, setCookie } from '../http/cookies.ts';
import type { OutboundCalls } from '../http/limits/outbound-calls.ts';
import { isSameOrigin, ownOriginOf } from '../http/own-origin.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Mailer } from './mail.ts';

export interface SignInContext {
  now: () => Date;
  signIn: SignIn;
  /** ROSTER_PUBLIC_URL. */
  publicUrl: string | undefined;
  provider: IdentityProvider | undefined;
  outbound: OutboundCalls;
  /** Undefined if people can't sign in with a link in an email. */
  sendSignInLink: Mailer['sendSignInLink'] | undefined;
}

/** Throws `sign_in_failed` if browsers must not sign in at this host. */
export function requireOrigin({ headers }: FastifyRequest, { publicUrl }: SignInContext): string {
  const origin = ownOriginOf(headers, publicUrl);
  if (origin !== undefined) return origin;
  const detail = 'Without ROSTER_PUBLIC_URL browsers can sign in only at a loopback address.';
  throw new RosterError('sign_in_failed', detail);
}

/** A page elsewhere could sign someone in as another person. Throws `sign_in_failed`. */
export function requireOwnPage({ headers }: FastifyRequest, origin: string, detail: string): void {
  if (!isSameOrigin(headers, origin)) throw new RosterError('sign_in_failed', detail);
}

export function requireProvider({ provider }: SignInContext): IdentityProvider {
  if (provider !== undefined) return provider;
  throw new RosterError('no_such_route', 'This service has no identity provider (ROSTER_OIDC_ISSUER).');
}

export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export const Token = z.string().regex(/^[\w-]{43}$/, 'must be 43 characters of base64url');

/** As PKCE has it (RFC 7636, section 4.2). */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

export function setSession(
  { now }: SignInContext,
  reply: FastifyReply,
  { origin, session }: { origin: string; session: CreatedSession },
): FastifyReply {
  const lifetimeS = Math.round((session.expiresAt.getTime() - now().getTime()) / 1_000);
  const maxAgeS = Math.min(lifetimeS, COOKIE_AGE_MAX_S);
  const cookie = setCookie({ name: cookieNamesOf(origin).session, value: session.token, maxAgeS });
  return reply.header('Set-Cookie', cookie);
}

/** The client of a request, which a session records. */
export function clientOf({ headers, id: requestId }: FastifyRequest): SignInClient {
  return { client: headers['user-agent'], requestId };
}

/** Throws `validation_failed` or, for parameters, `invalid_parameter`. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  isParameter: boolean,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const rejected = { input, isParameter: () => isParameter };
  throw toRosterError(new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error }), rejected);
}
