import { RosterError } from '@roster/api';
import type { Caller } from '@roster/api/server';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
    sessionCredential: string | undefined;
  }
}

export type Identity = { caller: Caller } | { failure: unknown };

export function knownCaller({ identity }: Pick<FastifyRequest, 'identity'>): Caller | undefined {
  return identity && 'caller' in identity ? identity.caller : undefined;
}

/** Throws `unauthenticated`, or the error of the look-up. */
export function callerOf({ identity }: FastifyRequest): Caller {
  if (identity !== null && 'caller' in identity) return identity.caller;
  throw identity?.failure ?? new RosterError('unauthenticated');
}

export function callerKey(request: FastifyRequest): string {
  const caller = knownCaller(request);
  return caller === undefined ? addressKey(request) : `key ${caller.id}`;
}

export function addressKey({ ip }: FastifyRequest): string {
  // Undefined once the connection has ended, whatever its type says.
  const address: string | undefined = ip;
  return `address ${networkOf(address ?? '')}`;
}
