import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../contract.d.ts';
import { aborted } from '../errors.ts';

/** `RouterInputs['offices']['create']` */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** `RouterOutputs['offices']['list']` */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

export interface AbortOptions {
  /** Ends the loop at once with a RosterError of code `aborted`. */
  signal?: AbortSignal | undefined;
}

export interface PagedResource<Query, Item> {
  /**
   * Yields all records that match, page by page. `limit` is the size of a page (50 by default, 200 at most), not the
   * number of records. The next page is requested after half of the current one, and never more than one page ahead.
   * Records that are created or changed meanwhile may be missing; unchanged ones are yielded exactly once.
   *
   * Throws the RosterErrors of `list`. Leaving the loop aborts a request that is running.
   *
   * @example
   * for await (const agent of client.agents.all({ status: 'active', limit: 200 })) console.log(agent.displayName);
   */
  all(query?: Query, options?: AbortOptions): AsyncGenerator<Item, void, undefined>;
}

export interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}

/** Resources whose `list` returns pages. */
type Paged = {
  [Resource in keyof RouterOutputs]: RouterOutputs[Resource] extends { list: Page<unknown> }
    ? 'nextCursor' extends keyof RouterOutputs[Resource]['list']
      ? Resource
      : never
    : never;
}[keyof RouterOutputs];

/** Adds `all` to resources with pages. It starts at the first page and requests no total. */
export type PagedResources = {
  [Resource in Paged]: PagedResource<
    Omit<Extract<RouterInputs[Resource]['list'], object>, 'cursor' | 'direction' | 'includeTotal'>,
    RouterOutputs[Resource]['list']['items'][number]
  >;
};

/** Defers a prefetched page's rejection until it is awaited. */
function prefetched<Value>(page: Promise<Value>): Promise<Value> {
  page.catch(() => undefined);
  return page;
}

/**
 * Yields all items of a list, page by page. The next page is requested after half of the current one.
 *
 * @param read requests the page at a cursor, or the first one
 */
export async function* allRecords<Item>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  { signal }: AbortOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const loopEnd = new AbortController();
  const readSignal = signal ? AbortSignal.any([signal, loopEnd.signal]) : loopEnd.signal;
  try {
    let next: Promise<Page<Item>> | undefined = read(undefined, readSignal);
    while (next !== undefined) {
      const { items, nextCursor }: Page<Item> = await next;
      next = undefined;
      for (const [index, item] of items.entries()) {
        if (nextCursor !== undefined && index === items.length >> 1)
          next = prefetched(read(nextCursor, readSignal));
        yield item;
        if (signal?.aborted) throw aborted(signal);
      }
      if (nextCursor !== undefined) next ??= read(nextCursor, readSignal);
    }
  } finally {
    loopEnd.abort();
  }
}
