import { RosterError } from '@roster/api';
import type { Caller } from '@roster/api/server';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
    /** The session of the cookie, as an Authorization header, if it authenticates the request. */
    sessionCredential: string | undefined;
  }
}

/** The sender of a request, by its Authorization header or its session cookie: a caller, or the error why there is none. */
export type Identity = { caller: Caller } | { failure: unknown };

/** The caller of a request; undefined without a valid key or session, and on routes without authentication. */
export function knownCaller({ identity }: Pick<FastifyRequest, 'identity'>): Caller | undefined {
  return identity && 'caller' in identity ? identity.caller : undefined;
}

/** The caller of a request. Throws `unauthenticated`, or the error that prevented the look-up of its key. */
export function callerOf({ identity }: FastifyRequest): Caller {
  if (identity !== null && 'caller' in identity) return identity.caller;
  throw identity?.failure ?? new RosterError('unauthenticated');
}

/** The name under which a caller is counted, on all servers: its key or, without a valid key, its address. */
export function callerKey(request: FastifyRequest): string {
  const caller = knownCaller(request);
  return caller === undefined ? addressKey(request) : `key ${caller.id}`;
}

/** The name under which the address of a client is counted. */
export function addressKey({ ip }: FastifyRequest): string {
  // Once the connection has ended Fastify returns undefined, whatever its type says.
  const address: string | undefined = ip;
  return `address ${networkOf(address ?? '')}`;
}
