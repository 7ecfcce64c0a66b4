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
import type { Consistency } from './consistency.ts';
import { type AppRouter, repeatable } from './contract.ts';
import { rosterErrorOf } from './errors.ts';
import { type RetryPolicy, retrying } from './retry.ts';
import { eventSubscriptionLink, type Follow } from './subscriptions.ts';
import { transport } from './transport.ts';

/** Calls the service takes in one batch. */
const BATCH_MAX = 20;
/** The longest URL the service reads, in characters. */
const URL_MAX = 10_000;
/** An input this long travels alone: it leaves a batch no room, and the service is to judge it, not the batching. */
const INPUT_MAX = 6_000;

/** The key that makes a call repeatable, where it has one. */
function idempotencyKeyOf({ context }: Pick<TRPCRequestOptions, 'context'>): string | undefined {
  const key = context?.idempotencyKey;
  return typeof key === 'string' ? key : undefined;
}

/** 128 random bits. Not by `crypto.randomUUID`, which pages that were not loaded over https do not have. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A call with a header of its own, or with an input too long to share a URL, needs a request of its own. */
function travelsAlone(op: Operation): boolean {
  if (idempotencyKeyOf(op) !== undefined) return true;
  return op.type === 'query' && encodeURIComponent(JSON.stringify(op.input) ?? '').length > INPUT_MAX;
}

/** How procedures are called. */
export interface Calling {
  /** Where they are. */
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  /** How long one request may take, in milliseconds. */
  timeoutMs: number;
  policy: RetryPolicy;
  consistency: Consistency;
  /** Reads the events, for the subscription to them. */
  follow: Follow;
  /** Whether a procedure that takes an idempotency key gets one where the caller gave none. */
  makesKeys: boolean;
}

/** tRPC's client with the things it lacks: repeating what failed in passing, keys for that, one class of errors. */
class RetryingClient extends TRPCUntypedClient<AppRouter> {
  readonly #calling: Calling;

  constructor(links: TRPCLink<AppRouter>[], calling: Calling) {
    super({ links });
    this.#calling = calling;
  }

  override query(path: string, input?: unknown, options?: TRPCRequestOptions): Promise<unknown> {
    return this.#call(() => super.query(path, input, options), options, true);
  }

  override mutation(path: string, input?: unknown, given: TRPCRequestOptions = {}): Promise<unknown> {
    const options = this.#withKey(path, given);
    // Without a key nobody knows whether the change was made before the connection broke.
    const isRepeatable = idempotencyKeyOf(options) !== undefined;
    return this.#call(() => super.mutation(path, input, options), options, isRepeatable);
  }

  /** A key made here is one for all attempts of the call. */
  #withKey(path: string, options: TRPCRequestOptions): TRPCRequestOptions {
    const isGiven = options.context?.idempotencyKey !== undefined;
    if (isGiven || !this.#calling.makesKeys || !repeatable.has(path)) return options;
    return { ...options, context: { ...options.context, idempotencyKey: randomKey() } };
  }

  #call(
    call: () => Promise<unknown>,
    { signal }: TRPCRequestOptions = {},
    isRepeatable: boolean,
  ): Promise<unknown> {
    const { url, policy } = this.#calling;
    const attempt = () =>
      call().catch((error: unknown) => {
        throw rosterErrorOf(error, url);
      });
    // The hooks of tRPC give null for no signal, whatever the type says.
    return retrying(attempt, { ...policy, isRepeatable }, signal ?? undefined);
  }
}

function linkTo({ url, headers, fetch, timeoutMs, consistency, follow }: Calling): TRPCLink<AppRouter> {
  const common = { url, fetch: transport({ url, timeoutMs, consistency, fetch }) };
  const calls = splitLink<AppRouter>({
    condition: travelsAlone,
    // A batch has one header for all its calls, and could not be repeated for one of them: a key travels alone.
    true: httpLink({
      ...common,
      headers: ({ op }) => {
        const idempotencyKey = idempotencyKeyOf(op);
        return idempotencyKey === undefined ? headers : { ...headers, 'Idempotency-Key': idempotencyKey };
      },
    }),
    false: httpBatchLink({ ...common, headers, maxItems: BATCH_MAX, maxURLLength: URL_MAX }),
  });
  return splitLink<AppRouter>({
    condition: ({ type }) => type === 'subscription',
    true: eventSubscriptionLink(follow),
    false: calls,
  });
}

/** Every procedure of the service, by its name and typed. */
export function proceduresOf(calling: Calling): TRPCClient<AppRouter> {
  return createTRPCClientProxy(new RetryingClient([linkTo(calling)], calling));
}
