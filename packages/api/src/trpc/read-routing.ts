import { type ConsistencyToken, type Database, laterToken, type Replicas } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { ResponseMeta } from './response-meta.ts';

/** The freshness that a read needs: at least that of a token, or that of the primary (`latest`). */
export type Freshness = ConsistencyToken | 'latest';

interface ReadRequest {
  /** The database of the request. */
  db: Kysely<Database>;
  caller: Caller;
  freshness: Freshness | undefined;
}

/** Chooses a replica or the primary for each read, so that a caller reads its own writes and never goes back in time. */
export interface ReadRouter {
  /** Returns a database for the reads of a request that uses a replica if one is new enough. */
  route(meta: ResponseMeta, read: ReadRequest): Kysely<Database>;
  /** To be called after a query on the primary: later reads that send the response's token see at least as much. */
  afterRead(meta: ResponseMeta): Promise<void>;
  /** To be called after a mutation, successful or not: later reads of the caller see what it left. */
  afterWrite(meta: ResponseMeta, write: { caller: Caller; error?: unknown }): Promise<void>;
}

/** The statuses of errors about stored records: a caller that then reads must find what the error says. */
const aboutRecords = new Set([404, 409, 412]);

/**
 * @param callersMax The number of keys whose last write this server remembers, for callers that send no token. The write of
 * a key that is dropped counts for all keys.
 */
export function createReadRouter(replicas: Replicas, { callersMax = 10_000 } = {}): ReadRouter {
  const writes = new RecentWrites(replicas, callersMax);
  return {
    route: (meta, { db, caller, freshness }) => {
      const written = writes.of(caller);
      const isPrimaryOnly = freshness === 'latest' || written === 'latest';
      const after = laterToken(tokenOf(freshness), tokenOf(written));
      meta.readState ??= { after, isPrimaryOnly };
      return replicas.routeReads(db, meta.readState);
    },
    afterRead: async (meta) => addToken(meta, await replicas.currentToken()),
    afterWrite: async (meta, { caller, error }) => {
      const status = error === undefined ? 200 : toRosterError(error).status;
      if (status >= 400 && status < 500 && !aboutRecords.has(status)) return;
      const atMs = performance.now();
      // After a 5xx the database may be unavailable, and the response must not wait for it.
      const token = status < 500 ? await replicas.currentToken() : undefined;
      writes.add(caller, { atMs, token });
      addToken(meta, token);
    },
  };
}

/** Later reads of the same request see at least this token, and the response reports it. */
function addToken(meta: ResponseMeta, token: ConsistencyToken | undefined): void {
  meta.readState ??= { after: token, isPrimaryOnly: token === undefined };
  const { readState } = meta;
  readState.after = laterToken(readState.after, token);
  readState.seen = laterToken(readState.seen, token);
}

function tokenOf(freshness: Freshness | undefined): ConsistencyToken | undefined {
  return freshness === 'latest' ? undefined : freshness;
}

interface Write {
  /** When it ended, by `performance.now()`. */
  atMs: number;
  /** Undefined if the position of the primary was not known at its end. */
  token: ConsistencyToken | undefined;
}

/** The last write of each key through this server. */
class RecentWrites {
  readonly #replicas: Replicas;
  readonly #max: number;
  readonly #writes = new Map<string, Write>();
  /** The time of the latest write that was dropped. */
  #droppedMs: number | undefined;

  constructor(replicas: Replicas, max: number) {
    this.#replicas = replicas;
    this.#max = max;
  }

  add({ id }: Caller, write: Write): void {
    this.#writes.delete(id);
    this.#writes.set(id, write);
    const [oldest] = this.#writes;
    if (this.#writes.size <= this.#max || oldest === undefined) return;
    this.#writes.delete(oldest[0]);
    this.#droppedMs = Math.max(this.#droppedMs ?? 0, oldest[1].atMs);
  }

  of({ id }: Caller): Freshness | undefined {
    const write = this.#writes.get(id);
    if (write?.token !== undefined) return write.token;
    const atMs = write?.atMs ?? this.#droppedMs;
    return atMs === undefined ? undefined : (this.#replicas.tokenAt(atMs) ?? 'latest');
  }
}
