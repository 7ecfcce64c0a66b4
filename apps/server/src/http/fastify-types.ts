import type { Authenticator } from '@roster/api/server';
import type { RequestStats } from '../observability/request-context.ts';
import type { Identity } from './identity.ts';

/** The properties that the plugins of the server add to Fastify's objects. */
declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
  }

  interface FastifyRequest {
    identity: Identity | null;
    /** The session of the cookie, as an Authorization header, if it authenticates the request. */
    sessionCredential: string | undefined;
    stats: RequestStats | null;
  }

  interface FastifyContextConfig {
    /** The procedure of a REST route. */
    procedure?: string;
  }
}
