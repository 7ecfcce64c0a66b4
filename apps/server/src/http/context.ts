import type { Socket } from 'node:net';
import type { ServiceRouter } from '@roster/api/server';
import { type Database, withDisconnectCheck } from '@roster/db';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { pathOf } from '../observability/request-path.ts';
import type { ServerContext } from '../procedures.ts';
import { reauthenticate } from './hooks/authentication.ts';
import { callerOf, knownCaller } from './identity.ts';
import type { OutboundCalls } from './limits/outbound-calls.ts';
import { charge } from './limits/rate-limit.ts';
import { ownOriginOf, passkeyOriginOf } from './own-origin.ts';
import { parseIdempotencyKey, parsePrecondition } from './request-headers.ts';

/** The parts of a request's scope that are the same for every request. */
type SharedRequestScope = Pick<ServerContext['request'], 'isVersionRequired' | 'committed' | 'parametersOf'>;

export interface SharedContext {
  db: Kysely<Database>;
  now: () => Date;
  router: ServiceRouter;
  requests: SharedRequestScope;
  outbound: OutboundCalls;
  publicUrl: string | undefined;
}

/** With `acceptsRawJson` a procedure may return encoded JSON; without it only objects. */
export type CreateContext = (request: FastifyRequest, options?: { acceptsRawJson: boolean }) => ServerContext;

export function contextFactory({
  db,
  now,
  router,
  requests,
  outbound,
  publicUrl,
}: SharedContext): CreateContext {
  const databaseFor = databasesOf(db);
  return (request, { acceptsRawJson } = { acceptsRawJson: false }) => ({
    db: databaseFor(request),
    now,
    router,
    request: {
      ...requests,
      id: request.id,
      path: pathOf(request.url),
      authenticate: async () => callerOf(request),
      reauthenticate: () => reauthenticate(request),
      precondition: () => parsePrecondition(request.headers),
      idempotencyKey: () => parseIdempotencyKey(request.raw),
      ownOrigin: () => ownOriginOf(request.headers, publicUrl),
      passkeyOrigin: () => passkeyOriginOf(ownOriginOf(request.headers, publicUrl)),
      acceptsRawJson,
      responseMeta: { isReplayed: false },
      charge: (cost) => charge(request, cost),
      callOut: (call) => outbound.run(request.raw, call),
    },
  });
}

/** Kept for each connection: most of its requests have the same key. */
function databasesOf(db: Kysely<Database>): (request: FastifyRequest) => Kysely<Database> {
  const last = new WeakMap<Socket, { keyId: string | undefined; db: Kysely<Database> }>();
  return (request) => {
    const { socket } = request.raw;
    const keyId = knownCaller(request)?.id;
    const known = last.get(socket);
    if (known !== undefined && known.keyId === keyId) return known.db;
    const made = { keyId, db: withDisconnectCheck(db, () => socket.destroyed, keyId) };
    last.set(socket, made);
    return made.db;
  };
}
