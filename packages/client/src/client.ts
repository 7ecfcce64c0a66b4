import type { AppRouter } from '@roster/api';
import {
  createTRPCClientProxy,
  httpBatchLink,
  httpLink,
  type Operation,
  splitLink,
  type TRPCClient,
  type TRPCLink,
  type TRPCRequestOptions,
  TRPCUntypedClient,
} from '@trpc/client';
import { rosterErrorOf } from './errors.ts';
import { type RetryPolicy, retrying } from './retry.ts';
import { transport } from './transport.ts';

/** How to reach a Roster service. */
export interface RosterClientOptions {
  /** The base URL of the service, such as `https://roster.example`; a path in it is kept. */
  url: string;
  /** The API key; sent as `Authorization: Bearer …`. */
  key?: string | undefined;
  /** How often a call that may be repeated is tried, the first time included; 3 unless given, 1 never repeats. */
  attempts?: number;
  /** How long one request may take, in milliseconds; 30,000 unless given. */
  timeoutMs?: number;
  /** The `fetch` to use instead of the global one. */
  fetch?: typeof globalThis.fetch;
}

/**
 * The procedures of the service, typed: `client.offices.list.query({ … })`, `client.agents.create.mutate({ … })`.
 * Every call takes `{ signal }` to abort it; a mutation takes `{ context: { idempotencyKey } }` to be repeatable.
 */
export type RosterClient = TRPCClient<AppRouter>;

/** Calls the service takes in one batch. */
const BATCH_MAX = 20;
/** The longest URL the service reads, in characters. */
const URL_MAX = 10_000;
/** An input this long travels alone: it leaves a batch no room, and the service is to judge it, not the batching. */
const INPUT_MAX = 6_000;

const ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;

/** The key that makes a call repeatable, where the caller gave one. */
function idempotencyKeyOf({ context }: Pick<TRPCRequestOptions, 'context'>): string | undefined {
  const key = context?.idempotencyKey;
  return typeof key === 'string' ? key : undefined;
}

/** A call with a header of its own, or with an input too long to share a URL, needs a request of its own. */
function travelsAlone(op: Operation): boolean {
  if (idempotencyKeyOf(op) !== undefined) return true;
  return op.type === 'query' && encodeURIComponent(JSON.stringify(op.input) ?? '').length > INPUT_MAX;
}

/** tRPC's client with the two things it lacks: repeating what failed in passing, and one class of errors. */
class RetryingClient extends TRPCUntypedClient<AppRouter> {
  readonly #url: string;
  readonly #policy: RetryPolicy;

  constructor({ links, url, policy }: { links: TRPCLink<AppRouter>[]; url: string; policy: RetryPolicy }) {
    super({ links });
    this.#url = url;
    this.#policy = policy;
  }

  override query(path: string, input?: unknown, options?: TRPCRequestOptions): Promise<unknown> {
    return this.#call(() => super.query(path, input, options), options?.signal, true);
  }

  override mutation(path: string, input?: unknown, options: TRPCRequestOptions = {}): Promise<unknown> {
    // Without a key nobody knows whether the change was made before the connection broke.
    const isRepeatable = idempotencyKeyOf(options) !== undefined;
    return this.#call(() => super.mutation(path, input, options), options.signal, isRepeatable);
  }

  #call(
    call: () => Promise<unknown>,
    signal: AbortSignal | undefined,
    isRepeatable: boolean,
  ): Promise<unknown> {
    const attempt = () =>
      call().catch((error: unknown) => {
        throw rosterErrorOf(error, this.#url);
      });
    return retrying(attempt, isRepeatable ? this.#policy : { ...this.#policy, attemptsMax: 1 }, signal);
  }
}

/**
 * A typed client of the Roster service at `url`.
 *
 * Calls made in the same tick share a request. Queries, and mutations with an idempotency key, are repeated after a
 * failure of the network and while the service says "not now" (503 and its like), as Retry-After asks and with
 * growing random pauses; other mutations never. Every failure is a {@link RosterError}. Throws a TypeError for a `url`
 * that is none.
 *
 * @example
 * const client = createRosterClient({ url: 'http://127.0.0.1:3000' });
 * const { items } = await client.offices.list.query({ country: 'PT' });
 */
export function createRosterClient(options: RosterClientOptions): RosterClient {
  const { key, attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch } = options;
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol)) {
    throw new TypeError(`url must be an http or https URL, and is "${options.url}"`);
  }
  const url = `${options.url.replace(/\/+$/, '')}/trpc`;
  const common = { url, fetch: transport({ url, timeoutMs, fetch }) };
  const authorization = key === undefined || key === '' ? {} : { Authorization: `Bearer ${key}` };
  const link = splitLink<AppRouter>({
    condition: travelsAlone,
    true: httpLink({
      ...common,
      headers: ({ op }) => {
        const idempotencyKey = idempotencyKeyOf(op);
        return idempotencyKey === undefined
          ? authorization
          : { ...authorization, 'Idempotency-Key': idempotencyKey };
      },
    }),
    false: httpBatchLink({ ...common, headers: authorization, maxItems: BATCH_MAX, maxURLLength: URL_MAX }),
  });
  const policy = { attemptsMax: attempts, waitMaxMs: timeoutMs };
  return createTRPCClientProxy(new RetryingClient({ links: [link], url, policy }));
}
