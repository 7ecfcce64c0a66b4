import { type ConsistencyToken, type Database, laterToken, type Replicas } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Caller } from '../api-keys/authenticator.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { ResponseMeta } from './response-meta.ts';

/** How new what is read must be at least; `latest` is what the primary has now. */
export type Freshness = ConsistencyToken | 'latest';

interface Asked {
  /** The database as the caller has it. */
  db: Kysely<Database>;
  caller: Caller;
  freshness: Freshness | undefined;
}

/** Decides for each request, where a service has replicas, how new what it reads must be. */
export interface ReadRouter {
  /** The database for a query about records: a replica that has what the caller has seen and written, or the primary. */
  route(meta: ResponseMeta, asked: Asked): Kysely<Database>;
  /** To be told when the primary has answered any other query: what it told of is read from here on. */
  afterRead(meta: ResponseMeta): Promise<void>;
  /** To be told when a mutation has ended, well or not: from here on its caller reads what it has left. */
  afterWrite(meta: ResponseMeta, what: { caller: Caller; failure?: unknown }): Promise<void>;
}

/** Refusals because of what is stored, which the caller should find when he looks. */
const aboutStored = new Set([404, 409, 412]);

/**
 * @param callersMax keys whose last write is remembered, so that a caller who carries no token reads it all the same, at
 * this server; where there are more, the one remembered longest counts as everybody's.
 */
export function createReadRouter(replicas: Replicas, { callersMax = 10_000 } = {}): ReadRouter {
  const writes = new RecentWrites(replicas, callersMax);
  return {
    route: (meta, { db, caller, freshness }) => {
      const written = writes.of(caller);
      const isPrimaryOnly = freshness === 'latest' || written === 'latest';
      const after = laterToken(tokenIn(freshness), tokenIn(written));
      meta.readState ??= { after, isPrimaryOnly };
      return replicas.routeReads(db, meta.readState);
    },
    afterRead: async (meta) => see(meta, await replicas.currentToken()),
    afterWrite: async (meta, { caller, failure }) => {
      const status = failure === undefined ? 200 : toRosterError(failure).status;
      if (status >= 400 && status < 500 && !aboutStored.has(status)) return;
      const atMs = performance.now();
      // Where nobody knows what became of it, the database may be away, and an answer should not wait for it.
      const token = status < 500 ? await replicas.currentToken() : undefined;
      writes.add(caller, { atMs, token });
      see(meta, token);
    },
  };
}

/** What follows in the same request sees no less, and the answer says so. */
function see(meta: ResponseMeta, token: ConsistencyToken | undefined): void {
  meta.readState ??= { after: token, isPrimaryOnly: token === undefined };
  const { readState } = meta;
  readState.after = laterToken(readState.after, token);
  readState.seen = laterToken(readState.seen, token);
}

function tokenIn(freshness: Freshness | undefined): ConsistencyToken | undefined {
  return freshness === 'latest' ? undefined : freshness;
}

interface Write {
  /** When it had ended, by `performance.now()`. */
  atMs: number;
  /** Undefined where it could not be had at once. */
  token: ConsistencyToken | undefined;
}

/** What each key wrote last, through this server. */
class RecentWrites {
  readonly #replicas: Replicas;
  readonly #max: number;
  readonly #writes = new Map<string, Write>();
  /** When the last of those forgotten was written. */
  #forgottenMs: number | undefined;

  constructor(replicas: Replicas, max: number) {
    this.#replicas = replicas;
    this.#max = max;
  }

  add({ keyId }: Caller, write: Write): void {
    this.#writes.delete(keyId);
    this.#writes.set(keyId, write);
    const [oldest] = this.#writes;
    if (this.#writes.size <= this.#max || oldest === undefined) return;
    this.#writes.delete(oldest[0]);
    this.#forgottenMs = Math.max(this.#forgottenMs ?? 0, oldest[1].atMs);
  }

  of({ keyId }: Caller): Freshness | undefined {
    const write = this.#writes.get(keyId);
    if (write?.token !== undefined) return write.token;
    const atMs = write?.atMs ?? this.#forgottenMs;
    return atMs === undefined ? undefined : (this.#replicas.tokenAt(atMs) ?? 'latest');
  }
}
