import type { Authenticator } from '@roster/api/server';
import type { FastifyReply } from 'fastify';
import type { RequestStats } from '../observability/request-context.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import type { Identity } from './identity.ts';

/** The properties that the plugins of the server add to Fastify's objects. */
declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
    rateLimiter: RateLimiter | undefined;
    /** Reads the connection of a client more slowly that goes on after its requests were rejected for their rate. */
    slowDown: (reply: FastifyReply) => void;
  }

  interface FastifyRequest {
    identity: Identity | null;
    /** The session of the cookie, as an Authorization header, if it authenticates the request. */
    sessionCredential: string | undefined;
    /** The reply that gets the rate limit headers of the request. */
    rateReply: FastifyReply | null;
    stats: RequestStats | null;
  }

  interface FastifyContextConfig {
    /** The procedure of a REST route. */
    procedure?: string;
    /** All responses of the route share one buffer, so that an unread one takes no memory of its own. */
    isPayloadShared?: boolean;
  }
}
