import type { Session } from '../context/command-context.ts';
import type { Input } from '../input/fields.ts';
import type { Page } from '../output/printer.ts';

/** Records a page while all are fetched: the most the service gives at once. */
const LIMIT_OF_ALL = 200;

/** The pages of a list of a noun, or of one that belongs to a record of it: the first, or all of them. */
export async function* pagesOf(
  { procedures, callOptions }: Session,
  { verb, input, all }: { verb: 'list' | 'deliveries'; input: Input; all: boolean },
): AsyncGenerator<Page> {
  const { query } = procedures[verb];
  let page = await query(all ? { limit: LIMIT_OF_ALL, ...input } : input, callOptions);
  yield page;
  while (all && page.nextCursor !== undefined) {
    // The first page has already counted.
    const { includeTotal: _, ...rest } = input;
    const { total } = page;
    const next = { limit: LIMIT_OF_ALL, ...rest, cursor: page.nextCursor };
    page = await query(next, callOptions);
    if (total !== undefined) page = { ...page, total };
    yield page;
  }
}

/** What a person needs to know beside the rows: that there are none, how many there are, that there are more. */
export function noteOn({ items, total, nextCursor }: Page, name: string): string {
  const notes: string[] = [];
  if (total !== undefined) notes.push(`${total} ${name} match.`);
  else if (items.length === 0) notes.push(`No ${name} match.`);
  if (nextCursor !== undefined)
    notes.push(`There are more: go on with --cursor ${nextCursor}, or take --all.`);
  return notes.map((note) => `${note}\n`).join('');
}
