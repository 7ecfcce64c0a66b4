import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from './contract.ts';
import { aborted } from './errors.ts';

/** How to end what takes a while. */
export interface AbortOptions {
  /** Ends it at once, with a RosterError of code `aborted`. */
  signal?: AbortSignal | undefined;
}

/** What a noun with pages offers beside its procedures. */
interface Listing<Query, Item> {
  /**
   * Every record that matches, page after page; `limit` is the size of a page (50 unless given, 200 at most), not of
   * the whole. The next page is asked for when half of the one before has been taken, and never more than one ahead.
   * Records that are made or changed meanwhile may come or not; none that stays as it is is left out or comes twice.
   *
   * Throws what `list` throws: a RosterError. Leaving the loop ends it, and a request that still runs.
   *
   * @example
   * for await (const agent of client.agents.all({ status: 'active', limit: 200 })) console.log(agent.displayName);
   */
  all(query?: Query, options?: AbortOptions): AsyncGenerator<Item, void, undefined>;
}

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

/** What is read of a page. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}

/** The nouns with a `list` that answers pages; it is the cursor that makes a page. */
type Paged = {
  [Noun in keyof Outputs]: Outputs[Noun] extends { list: Page<unknown> }
    ? 'nextCursor' extends keyof Outputs[Noun]['list']
      ? Noun
      : never
    : never;
}[keyof Outputs];

/** `all` for every noun with pages; where it starts and what it counts are its own business. */
export type Listings = {
  [Noun in Paged]: Listing<
    Omit<Inputs[Noun]['list'], 'cursor' | 'direction' | 'includeTotal'>,
    Outputs[Noun]['list']['items'][number]
  >;
};

/** A page that is not needed yet fails when its turn comes, and not before. */
function ahead<Value>(page: Promise<Value>): Promise<Value> {
  page.catch(() => undefined);
  return page;
}

/** The records of all pages; `read` gives the page at a cursor, or the first one. */
export async function* everyRecord<Item>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  { signal }: AbortOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const left = new AbortController();
  const ended = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  try {
    let next: Promise<Page<Item>> | undefined = read(undefined, ended);
    while (next !== undefined) {
      const { items, nextCursor }: Page<Item> = await next;
      next = undefined;
      for (const [index, item] of items.entries()) {
        if (nextCursor !== undefined && index === items.length >> 1) next = ahead(read(nextCursor, ended));
        yield item;
        if (signal?.aborted) throw aborted(signal);
      }
      if (nextCursor !== undefined) next ??= read(nextCursor, ended);
    }
  } finally {
    left.abort();
  }
}
