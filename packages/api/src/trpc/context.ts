import type { Database } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../access/caller.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { Precondition } from '../engine/write/precondition.ts';

interface ResponseMeta {
  isReplayed: boolean;
  /** The cursor at which an event stream starts. */
  cursor?: string;
}

export interface Context {
  db: Kysely<Database>;
  now: () => Date;
  request: RequestScope;
}

export interface CallContext extends Context {
  caller: Caller;
  limit: OfficeLimit | undefined;
  /** The record to patch, if it was read to compare read-only fields. */
  recordRead?: { version: number } | undefined;
  /** Only for a file with an Idempotency-Key. */
  once?: RunOnce | undefined;
}

/** Takes the hash of a received file, because no transaction is open while a client sends. */
type RunOnce = <Result>(
  fileHash: Buffer,
  change: (trx: Transaction<Database>) => Promise<Result>,
) => Promise<Result>;

export interface RequestScope {
  id: string;
  /** The `instance` of a problem (RFC 9457). */
  path: string;
  /** Throws `unauthenticated`. */
  authenticate: () => Promise<Caller>;
  /** With the current state of the key, for long responses. Throws `unauthenticated`. */
  reauthenticate: () => Promise<Caller>;
  /** If-Match or If-None-Match. RPC can have a version in its input instead. Throws `invalid_parameter`. */
  precondition: () => Precondition | undefined;
  /** Undefined without one. Throws `invalid_parameter`. */
  idempotencyKey: () => string | undefined;
  ownOrigin: () => string | undefined;
  /** The origin of passkeys, which need a host name; undefined without one. */
  passkeyOrigin: () => string | undefined;
  acceptsRawJson?: boolean | undefined;
  responseMeta: ResponseMeta;
  upload?: Upload | undefined;
  /** Whether the body of a patch has an ID that is not the one of its path. */
  hasForeignId?: boolean | undefined;
  /** Counts more requests against the caller's rate limit. Rejects with `rate_limited`. */
  charge: (cost: number) => Promise<void>;
  isVersionRequired: boolean;
  /** Tells the host after the commit what may have changed. */
  committed: (what: Changed) => void;
  parametersOf: (procedure: string) => readonly string[];
  /** Calls another server; only a few calls run at once. Rejects with `rate_limited`. */
  callOut: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/** The log, the rights of callers, and the tree of offices, which limits refer to. */
type Changed = 'events' | 'callers' | 'offices';

export interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  mediaType: string;
  charset: string | undefined;
}
