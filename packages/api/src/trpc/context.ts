import type { Database, Trail } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Caller } from '../api-keys/authenticator.ts';
import type { Feed } from '../events/notifier.ts';
import type { Sender } from '../webhooks/http-sender.ts';
import type { Freshness, Placement } from './read-routing.ts';

/**
 * Which version a record must have to be changed: one of these or any at all (If-Match), or any but these (If-None-Match).
 */
export type Precondition = readonly number[] | 'any' | { except: readonly number[] };

/** What every procedure is given: made once per request by the server, by tests as they need it. */
export interface Context {
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now: () => Date;
  /** How long a deleted record can be restored, in days. */
  retentionDays: number;
  /** How many webhooks there may be at most. */
  webhooksMax: number;
  /** Whether a change must say which version it changes. */
  isVersionRequired: boolean;
  requestId: string;
  /** The path of the request, for `instance` in a problem. */
  instance: string;
  /** Who calls. Throws `unauthenticated`. */
  identify: () => Promise<Caller>;
  /** The same of a request that goes on for long, as the key is now. */
  identifyAnew: () => Promise<Caller>;
  /**
   * The versions the request names (If-Match, If-None-Match); RPC may name one in its input. Throws `invalid_parameter`.
   */
  precondition: () => Precondition | undefined;
  /** The Idempotency-Key of the request. Throws `invalid_parameter`. */
  idempotencyKey: () => string | undefined;
  /**
   * How new what is read must be at least: as the Consistency-Token of the request says, or what the primary has now.
   * Throws `invalid_parameter`.
   */
  freshness: () => Freshness | undefined;
  /** Where the service has replicas: which reads go to them. */
  placement?: Placement | undefined;
  /** Whether a query may return a `RawJson`, to be sent as it is, where its output schema says so. */
  acceptsRawJson?: boolean | undefined;
  /** What a procedure lets the doors know, for their headers. */
  answer: { isReplayed: boolean; place?: string; trail?: Trail };
  /** What the process knows of the log of changes. */
  feed: Feed;
  /** Calls the receivers of webhooks. */
  sender: Sender;
  /** Runs what waits for a server of somebody else; few do so at once. Throws `rate_limited`. */
  callOut: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Counts so many requests more against the caller's rate. Rejects with `rate_limited`. */
  charge: (cost: number) => Promise<void>;
  /** Runs every procedure of the request, where somebody watches; what it rejects with is a `RosterError`. */
  around?: Around | undefined;
}

/** Runs one procedure, and answers as it does. */
export type Around = <Result>(
  call: { procedure: string; type: 'query' | 'mutation' | 'subscription' },
  run: () => Promise<Result>,
) => Promise<Result>;

/** The context behind the middlewares: it is known who calls. */
export interface CallContext extends Context {
  caller: Caller;
}
