import { getUntypedClient, type TRPCClient } from '@trpc/client';
import { type AbortOptions, allRecords, type Page, type PagedResources } from './calls/pages.ts';
import { createProcedures } from './calls/procedures.ts';
import type { AppRouter } from './contract.d.ts';
import { type EventsClient, type FollowOptions, type FollowQuery, followEvents } from './events/follow.ts';
import { eventSubscriptionLink, type Follow } from './events/subscription-link.ts';

export interface RosterClientOptions {
  /** The base URL, such as `https://roster.example`, with or without a path. */
  url: string;
  /** Sent as `Authorization: Bearer …`. */
  key?: string | undefined;
  /** Attempts per call, including the first. Defaults to 3; 1 disables retries. */
  attempts?: number | undefined;
  /** Per request, in milliseconds. Defaults to 30,000, at most 2,147,483,647. */
  timeoutMs?: number | undefined;
  /** Generates an idempotency key for every create and update, for safe retries. Defaults to true. */
  idempotencyKeys?: boolean | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The typed procedures of the service, such as `client.offices.list.query({ … })`; `all` for the pages of a list; and
 * `client.events.follow`. Every call takes `{ signal }`. A create or an update takes `{ context: { idempotencyKey } }`: a
 * key of your own (255 characters at most, kept for 24 hours), or false for none.
 */
export type RosterClient = TRPCClient<AppRouter> & PagedResources & { events: EventsClient };

const ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Three times the interval of the service's heartbeats. */
const IDLE_TIMEOUT_MS = 45_000;

function validate({ url, attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS }: RosterClientOptions) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`url must be an http or https URL, but is "${url}"`);
  }
  if (!(attempts >= 1)) throw new RangeError(`attempts must be 1 or more, but is ${attempts}`);
  if (!(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MAX_MS)) {
    throw new RangeError(`timeoutMs must be from 1 to ${TIMEOUT_MAX_MS}, but is ${timeoutMs}`);
  }
  return { base: url.replace(/\/+$/, ''), attempts, timeoutMs };
}

function withMethods(
  procedures: TRPCClient<AppRouter>,
  methodsOf: (resource: string) => object,
): RosterClient {
  return new Proxy(procedures, {
    get(target, name) {
      const resource: unknown = Reflect.get(target, name);
      // Resources are functions in tRPC's proxy; anything else belongs to tRPC.
      if (typeof name !== 'string' || typeof resource !== 'function') return resource;
      const methods = methodsOf(name);
      return new Proxy(resource, {
        get: (procedures, member) => Reflect.get(member in methods ? methods : procedures, member),
      });
    },
  }) as RosterClient;
}

/**
 * Creates a typed client of the Roster service at `url`.
 *
 * Calls in the same tick share a request, except creates and updates, whose idempotency key is a header. Queries, and
 * mutations with an idempotency key, are retried after network failures and the statuses 429, 502, 503 and 504, with
 * exponential back-off and Retry-After. Other mutations are retried only if they were over the rate limit, and so not
 * started. Every error of a call is a {@link RosterError}.
 *
 * @throws TypeError if `url` is not an http or https URL
 * @throws RangeError if `attempts` or `timeoutMs` is out of range
 *
 * @example
 * const client = createRosterClient({ url: 'http://127.0.0.1:3000', key: 'rst_…' });
 * const { items } = await client.offices.list.query({ country: 'PT' });
 */
export function createRosterClient(options: RosterClientOptions): RosterClient {
  const { key, idempotencyKeys: generatesKeys = true, fetch = globalThis.fetch } = options;
  const { base, attempts, timeoutMs } = validate(options);
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  const policy = { attemptsMax: attempts, retryAfterMaxMs: timeoutMs, isRepeatable: true };
  const common = { headers, fetch, timeoutMs, policy };
  const source = { ...common, url: `${base}/events/stream`, idleTimeoutMs: IDLE_TIMEOUT_MS };
  const follow: Follow = (query, handlers) => followEvents({ source, policy }, query, handlers);
  const procedures = createProcedures({
    ...common,
    subscriptions: eventSubscriptionLink(follow),
    url: `${base}/trpc`,
    generatesKeys,
  });
  const untyped = getUntypedClient(procedures);
  return withMethods(procedures, (resource) => ({
    all: (query?: object, { signal }: AbortOptions = {}) =>
      allRecords(
        (cursor, readSignal) =>
          untyped.query(`${resource}.list`, { ...query, cursor }, { signal: readSignal }) as Promise<
            Page<unknown>
          >,
        { signal },
      ),
    ...(resource === 'events' && {
      follow: (query: FollowQuery = {}, options: FollowOptions = {}) => follow(query, options),
    }),
  }));
}
