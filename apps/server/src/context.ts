import type { Socket } from 'node:net';
import { type Collaborators, createAppRouter } from '@roster/api/server';
import { type Database, withDisconnectCheck } from '@roster/db';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { callerOf, knownCaller } from './http/identity.ts';
import type { OutboundCalls } from './http/limits/outbound-calls.ts';
import { charge } from './http/limits/rate-limit.ts';
import { ownOriginOf, passkeyOriginOf } from './http/own-origin.ts';
import { parseIdempotencyKey, parsePrecondition } from './http/request-headers.ts';
import { pathOf } from './observability/path-of.ts';
import { reauthenticate } from './plugins/authentication.ts';
import type { ServerContext } from './procedures.ts';

/** The parts of a request's scope that are the same for every request. */
type SharedRequestScope = Pick<ServerContext['request'], 'isVersionRequired' | 'committed' | 'parametersOf'>;

/** The parts of a context that are the same for every request. */
export interface SharedContext {
  db: Kysely<Database>;
  now: () => Date;
  collaborators: Collaborators;
  requests: SharedRequestScope;
  outbound: OutboundCalls;
  /** ROSTER_PUBLIC_URL. */
  publicUrl: string | undefined;
}

/**
 * Creates the context of the procedures that a request calls, the same for REST, RPC and streams. With `acceptsRawJson` a
 * procedure may return encoded JSON; without it only objects.
 */
export type CreateContext = (request: FastifyRequest, options?: { acceptsRawJson: boolean }) => ServerContext;

/** Returns a function that creates contexts. Headers are parsed when a procedure needs them. */
export function contextFactory({
  db,
  now,
  collaborators,
  requests,
  outbound,
  publicUrl,
}: SharedContext): CreateContext {
  const databaseFor = databasesOf(db);
  const router = createAppRouter(() => collaborators);
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

/** The database as the requests of a connection use it: kept, because most of them have the same key as the one before. */
function databasesOf(db: Kysely<Database>): (request: FastifyRequest) => Kysely<Database> {
  const last = new WeakMap<Socket, { keyId: string | undefined; db: Kysely<Database> }>();
  return (request) => {
    const { socket } = request.raw;
    // The key whose share of the database connections the request uses.
    const keyId = knownCaller(request)?.id;
    const known = last.get(socket);
    if (known !== undefined && known.keyId === keyId) return known.db;
    const made = { keyId, db: withDisconnectCheck(db, () => socket.destroyed, keyId) };
    last.set(socket, made);
    return made.db;
  };
}
