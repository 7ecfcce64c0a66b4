import { getUntypedClient, type TRPCClient } from '@trpc/client';
import { createConsistency } from './consistency.ts';
import type { AppRouter } from './contract.ts';
import { type Following, type FollowOptions, type FollowQuery, followEvents } from './follow.ts';
import { type AbortOptions, everyRecord, type Listings, type Page } from './pages.ts';
import { proceduresOf } from './procedures.ts';
import type { Follow } from './subscriptions.ts';

/** How to reach a Roster service. */
export interface RosterClientOptions {
  /** The base URL of the service, such as `https://roster.example`; a path in it is kept. */
  url: string;
  /** The API key; sent as `Authorization: Bearer …`. */
  key?: string | undefined;
  /** How often a call that may be repeated is tried, the first time included; 3 unless given, 1 never repeats. */
  attempts?: number | undefined;
  /** How long one request may take, in milliseconds; 30,000 unless given, 2,147,483,647 at most. */
  timeoutMs?: number | undefined;
  /**
   * Whether every create and update gets an idempotency key of its own, so that it can be repeated and still happens
   * once; true unless given.
   */
  idempotencyKeys?: boolean | undefined;
  /** The `fetch` to use instead of the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The procedures of the service, typed: `client.offices.list.query({ … })`, `client.agents.create.mutate({ … })`;
 * beside them `client.offices.all`, `client.agents.all` and `client.keys.all` over all pages, and
 * `client.events.follow`.
 *
 * Every call takes `{ signal }` to abort it. A create or an update takes `{ context: { idempotencyKey } }`: a key of
 * the caller's instead of one made for it (255 characters at most; the service knows it for 24 hours), or false for
 * none.
 */
export type RosterClient = TRPCClient<AppRouter> & Listings & { events: Following };

const ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Three times what lies between two signs of life of the service. */
const SILENCE_MS = 45_000;

function checked({ url, attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS }: RosterClientOptions) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`url must be an http or https URL, and is "${url}"`);
  }
  if (!(attempts >= 1)) throw new RangeError(`attempts must be 1 or more, and is ${attempts}`);
  if (!(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MAX_MS)) {
    throw new RangeError(`timeoutMs must be from 1 to ${TIMEOUT_MAX_MS}, and is ${timeoutMs}`);
  }
  return { base: url.replace(/\/+$/, ''), attempts, timeoutMs };
}

/** tRPC's client with methods beside the procedures of its nouns. */
function withMethods(procedures: TRPCClient<AppRouter>, methodsOf: (noun: string) => object): RosterClient {
  return new Proxy(procedures, {
    get(target, name) {
      const noun: unknown = Reflect.get(target, name);
      // A noun of tRPC's is a function; what is none is tRPC's own.
      if (typeof name !== 'string' || typeof noun !== 'function') return noun;
      const methods = methodsOf(name);
      return new Proxy(noun, {
        get: (ofNoun, member) => Reflect.get(member in methods ? methods : ofNoun, member),
      });
    },
  }) as RosterClient;
}

/**
 * A typed client of the Roster service at `url`.
 *
 * Where the service reads from replicas, no answer shows less than the answers and changes of this client before it.
 *
 * Calls made in the same tick share a request, except creates and updates, whose idempotency key is a header of their
 * own. Queries, and mutations with an idempotency key, are repeated after a failure of the network and while the
 * service says "not now" (503 and its like), as Retry-After asks and with growing random pauses; other mutations only
 * where they were over the rate, and so not begun. Every failure is a {@link RosterError}. Throws a TypeError for a
 * `url` that is none and a RangeError for a number that cannot be meant.
 *
 * @example
 * const client = createRosterClient({ url: 'http://127.0.0.1:3000', key: 'rst_…' });
 * const { items } = await client.offices.list.query({ country: 'PT' });
 */
export function createRosterClient(options: RosterClientOptions): RosterClient {
  const { key, idempotencyKeys: makesKeys = true, fetch = globalThis.fetch } = options;
  const { base, attempts, timeoutMs } = checked(options);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  const policy = { attemptsMax: attempts, waitMaxMs: timeoutMs, isRepeatable: true };
  const consistency = createConsistency();
  const calling = { headers, fetch, timeoutMs, policy };
  const source = { ...calling, url: `${base}/events/stream`, silenceMs: SILENCE_MS };
  const follow: Follow = (query, handlers) => followEvents({ source, policy, consistency }, query, handlers);
  const procedures = proceduresOf({ ...calling, consistency, follow, url: `${base}/trpc`, makesKeys });
  const untyped = getUntypedClient(procedures);
  return withMethods(procedures, (noun) => ({
    all: (query?: object, { signal }: AbortOptions = {}) =>
      everyRecord(
        (cursor, ended) =>
          untyped.query(`${noun}.list`, { ...query, cursor }, { signal: ended }) as Promise<Page<unknown>>,
        { signal },
      ),
    ...(noun === 'events' && {
      follow: (query: FollowQuery = {}, following: FollowOptions = {}) => follow(query, following),
    }),
  }));
}
