import type { CommandContext } from '../../context/command-context.ts';
import type { Input } from '../../options/fields.ts';
import type { Page } from '../../output/printer.ts';

/** Records per page with `--all`: the maximum of the service. */
const LIMIT_OF_ALL = 200;

/** The pages of a list, or of what belongs to one record: the first page, or all. */
export async function* pagesOf(
  { procedures, callOptions }: CommandContext,
  {
    operation,
    input,
    all,
  }: {
    operation: 'list' | 'deliveries' | 'errors' | 'rows' | 'history' | 'duplicates';
    input: Input;
    all: boolean;
  },
): AsyncGenerator<Page> {
  const { query } = procedures[operation];
  let page = await query(all ? { limit: LIMIT_OF_ALL, ...input } : input, callOptions);
  yield page;
  const { total, prevCursor } = page;
  while (all && page.nextCursor !== undefined) {
    // The first page already has the total.
    const { includeTotal: _, ...rest } = input;
    const next = { limit: LIMIT_OF_ALL, ...rest, cursor: page.nextCursor };
    // The page before the pages is the one before the first of them.
    page = { ...(await query(next, callOptions)), prevCursor, ...(total !== undefined && { total }) };
    yield page;
  }
}

/** A note below the rows: that there are none, the total, and how to get the next page and the one before. */
export function noteOn({ items, total, nextCursor, prevCursor, isSimilar }: Page, name: string): string {
  const notes: string[] = [];
  if (isSimilar) notes.push(`No ${name} have these words; similar ones match.`);
  if (total !== undefined) notes.push(`${total} ${name} match.`);
  else if (items.length === 0 && prevCursor === undefined) notes.push(`No ${name} match.`);
  if (nextCursor !== undefined)
    notes.push(`There are more: continue with --cursor ${nextCursor}, or use --all.`);
  if (prevCursor !== undefined)
    notes.push(`There are more before these: go back with --cursor ${prevCursor}`);
  return notes.map((note) => `${note}\n`).join('');
}
