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
import type { AppRouter } from '../contract.d.ts';
import { toRosterError } from '../errors.ts';
import { repeatable } from '../repeatable.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { createTransport } from './transport.ts';

/** The maximum number of calls in one batch of the service. */
const BATCH_MAX = 20;
/** The maximum length of a URL of the service, in characters. */
const URL_MAX = 10_000;
/** A longer input gets a request of its own, so that the service rejects it if it is too long, and not the batch link. */
const INPUT_MAX = 6_000;

/** The idempotency key of a call; undefined without one. */
function idempotencyKeyOf({ context }: Pick<TRPCRequestOptions, 'context'>): string | undefined {
  const key = context?.idempotencyKey;
  return typeof key === 'string' ? key : undefined;
}

/** 128 random bits in hexadecimal. Pages that were not loaded over https have no `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a call has a header of its own, or an input that is too long to share a URL with others. */
function needsOwnRequest(op: Operation): boolean {
  if (idempotencyKeyOf(op) !== undefined) return true;
  return op.type === 'query' && encodeURIComponent(JSON.stringify(op.input) ?? '').length > INPUT_MAX;
}

/** The settings that all calls of procedures share. */
export interface CallOptions {
  /** The URL of the procedures. */
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  /** The longest time of one request, in milliseconds. */
  timeoutMs: number;
  policy: RetryPolicy;
  /** Serves the subscription to the events. */
  subscriptions: TRPCLink<AppRouter>;
  /** Whether to generate an idempotency key for procedures that take one, if the caller gives none. */
  generatesKeys: boolean;
}

/** tRPC's client with retries, idempotency keys and one class of errors. */
class RetryingClient extends TRPCUntypedClient<AppRouter> {
  readonly #options: CallOptions;

  constructor(links: TRPCLink<AppRouter>[], options: CallOptions) {
    super({ links });
    this.#options = options;
  }

  override query(path: string, input?: unknown, options?: TRPCRequestOptions): Promise<unknown> {
    return this.#call(() => super.query(path, input, options), options, true);
  }

  override mutation(path: string, input?: unknown, given: TRPCRequestOptions = {}): Promise<unknown> {
    const options = this.#withKey(path, given);
    // Without a key it is unknown whether the change was made before the connection broke.
    const isRepeatable = idempotencyKeyOf(options) !== undefined;
    return this.#call(() => super.mutation(path, input, options), options, isRepeatable);
  }

  /** All attempts of a call have the same key. */
  #withKey(path: string, options: TRPCRequestOptions): TRPCRequestOptions {
    const isGiven = options.context?.idempotencyKey !== undefined;
    if (isGiven || !this.#options.generatesKeys || !repeatable.has(path)) return options;
    return { ...options, context: { ...options.context, idempotencyKey: randomKey() } };
  }

  #call(
    call: () => Promise<unknown>,
    { signal }: TRPCRequestOptions = {},
    isRepeatable: boolean,
  ): Promise<unknown> {
    const { url, policy } = this.#options;
    const attempt = () =>
      call().catch((error: unknown) => {
        throw toRosterError(error, url);
      });
    // The React hooks of tRPC pass null instead of undefined, against the type.
    return withRetries(attempt, { ...policy, isRepeatable }, signal ?? undefined);
  }
}

function createLink({ url, headers, fetch, timeoutMs, subscriptions }: CallOptions): TRPCLink<AppRouter> {
  const common = { url, fetch: createTransport({ url, timeoutMs, fetch }) };
  const calls = splitLink<AppRouter>({
    condition: needsOwnRequest,
    // A batch has the same headers for all its calls and cannot be retried for one of them.
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
    true: subscriptions,
    false: calls,
  });
}

/** Creates a typed client of all procedures of the service. */
export function createProcedures(options: CallOptions): TRPCClient<AppRouter> {
  return createTRPCClientProxy(new RetryingClient([createLink(options)], options));
}
