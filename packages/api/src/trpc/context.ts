import type { Database } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { Precondition } from '../engine/write/precondition.ts';
import type { Caller } from '../identity/access/caller.ts';
import type { ResponseMeta } from './response-meta.ts';

/** The context of a procedure before authentication. The server creates one for each request. */
export interface Context {
  /** The database that the procedure reads and writes; middlewares replace it by a transaction. */
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now: () => Date;
  request: RequestScope;
}

/** The context of a procedure whose caller is authenticated. */
export interface CallContext extends Context {
  caller: Caller;
  /** The offices to which the caller is limited in this procedure; undefined for everything. */
  limit: OfficeLimit | undefined;
  /** Runs the change of a call that receives a file with an Idempotency-Key; undefined for any other call. */
  once?: RunOnce | undefined;
}

/**
 * Runs a change in a transaction, at most once for an Idempotency-Key. The hash is that of the file, which has been received: no
 * transaction is open while a client sends.
 */
type RunOnce = <Result>(
  fileHash: Buffer,
  change: (trx: Transaction<Database>) => Promise<Result>,
) => Promise<Result>;

/** The parts of a context that belong to one request. */
export interface RequestScope {
  id: string;
  /** The path of the request, which is the `instance` of a problem (RFC 9457). */
  path: string;
  /** Returns the caller by the key of the request. Throws `unauthenticated`. */
  authenticate: () => Promise<Caller>;
  /** The same with the current state of the key, for responses that go on for long. Throws `unauthenticated`. */
  reauthenticate: () => Promise<Caller>;
  /**
   * The versions of the conditional headers (If-Match, If-None-Match); undefined without them. In RPC the input can name a
   * version instead. Throws `invalid_parameter`.
   */
  precondition: () => Precondition | undefined;
  /** The Idempotency-Key; undefined without one. Throws `invalid_parameter`. */
  idempotencyKey: () => string | undefined;
  /** The origin of the pages of this service for the browser; undefined at a host that is neither loopback nor ROSTER_PUBLIC_URL. */
  ownOrigin: () => string | undefined;
  /** The origin at which browsers have passkeys for this service: a host with a name; undefined without one. */
  passkeyOrigin: () => string | undefined;
  /** Whether a query may return a `RawJson`, which is sent as it is, if its output schema allows it. */
  acceptsRawJson?: boolean | undefined;
  /** Filled by the procedure, read by REST and RPC. */
  responseMeta: ResponseMeta;
  /** The file that is the body of the request; undefined if the body is JSON, which is in the input. */
  upload?: Upload | undefined;
  /** Counts additional requests against the rate limit of the caller. Rejects with `rate_limited`. */
  charge: (cost: number) => Promise<void>;
  /** Whether a change must name the version that it changes. */
  isVersionRequired: boolean;
  /** Tells the host what the call has changed, once that is committed; it hears of more than has changed. */
  committed: (what: Changed) => void;
  /** The names of the parameters of a procedure, which an error about an unknown one suggests. */
  parametersOf: (procedure: string) => readonly string[];
  /** Runs a call of a server outside; only a few run at the same time. Rejects with `rate_limited`. */
  callOut: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/** Parts of the service that keep up with changes: the log, the rights of callers, and the tree of offices, to which they are limited. */
type Changed = 'events' | 'callers' | 'offices';

/** A file as it arrives. */
export interface Upload {
  /** Its bytes, which can be read once. */
  bytes: AsyncIterable<Uint8Array>;
  /** Its media type, in lower case. */
  mediaType: string;
  /** The parameter `charset` of its media type. */
  charset: string | undefined;
}
