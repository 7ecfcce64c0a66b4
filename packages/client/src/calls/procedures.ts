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
import { createTransport, type RetryPolicy, withRetries } from './transport.ts';

const BATCH_MAX = 20;
const URL_MAX = 10_000;
/** Longer inputs get their own request, so that the service rejects them and not the batch link. */
const INPUT_MAX = 6_000;

function idempotencyKeyOf({ context }: Pick<TRPCRequestOptions, 'context'>): string | undefined {
  const key = context?.idempotencyKey;
  return typeof key === 'string' ? key : undefined;
}

/** 128 random bits. Pages not loaded over https have no `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a call has its own header, or an input too long to share a URL. */
function needsOwnRequest(op: Operation): boolean {
  if (idempotencyKeyOf(op) !== undefined) return true;
  return op.type === 'query' && encodeURIComponent(JSON.stringify(op.input) ?? '').length > INPUT_MAX;
}

export interface CallOptions {
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  policy: RetryPolicy;
  subscriptions: TRPCLink<AppRouter>;
  /** Whether to generate missing idempotency keys. */
  generatesKeys: boolean;
}

/** Adds retries, idempotency keys and one class of errors. */
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
    // Without a key it is unknown whether a change was made before the connection broke.
    const isRepeatable = idempotencyKeyOf(options) !== undefined;
    return this.#call(() => super.mutation(path, input, options), options, isRepeatable);
  }

  /** All attempts have the same key. */
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
    // tRPC's React hooks pass null instead of undefined, against the type.
    return withRetries(attempt, { ...policy, isRepeatable }, signal ?? undefined);
  }
}

function createLink({ url, headers, fetch, timeoutMs, subscriptions }: CallOptions): TRPCLink<AppRouter> {
  const common = { url, fetch: createTransport({ url, timeoutMs, fetch }) };
  const calls = splitLink<AppRouter>({
    condition: needsOwnRequest,
    // The calls of a batch share headers and can't be retried individually.
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

export function createProcedures(options: CallOptions): TRPCClient<AppRouter> {
  return createTRPCClientProxy(new RetryingClient([createLink(options)], options));
}
