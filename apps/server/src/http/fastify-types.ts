import type { Authenticator, ResponseMeta } from '@roster/api/server';
import type { FastifyReply } from 'fastify';
import type { RequestStats } from '../observability/request-context.ts';
import type { Identity } from '../plugins/authentication.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';

/** All that the plugins of the server add to Fastify's objects. */
declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
    rateLimiter: RateLimiter | undefined;
    /** Reads the connection of a caller that goes on after rejections for its rate more slowly. */
    slowDown: (reply: FastifyReply) => void;
  }

  interface FastifyRequest {
    identity: Identity | null;
    /** The reply that says what is left of the caller's rate. */
    rateReply: FastifyReply | null;
    /** What procedures report about their responses; undefined if the service has no replicas. */
    responseMeta?: ResponseMeta | null;
    stats: RequestStats | null;
  }

  interface FastifyContextConfig {
    /** The procedure behind a route of REST. */
    procedure?: string;
    /** All answers of the route are one buffer, so that an unread one takes no memory of its own. */
    isPayloadShared?: boolean;
  }
}
