import type { RecordChange } from '@roster/client';
import { plainColumns, type Row } from '../../contract/columns.ts';
import type { Input } from '../../contract/options.ts';
import type { Page } from '../../service/client.ts';
import { addJsonLines } from '../../ui/json-option.ts';
import { linePrinterFor } from '../../ui/printer.ts';
import { operationCommand } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { actorOf } from '../events/actor-names.ts';
import { pagesOf } from '../lists.ts';

/** The columns of TSV: a line per changed field, and one for a version without changes. */
const columns = plainColumns([
  'position',
  'version',
  'occurredAt',
  'type',
  'actorId',
  'field',
  'before',
  'after',
]);

function linesOf(change: RecordChange): Row[] {
  const fields: (object | undefined)[] = change.changes;
  return (fields.length > 0 ? fields : [undefined]).map((field) => ({ ...change, ...field }));
}

/** One page if the command names one, else the whole history. */
function pagesWanted(context: CommandContext, input: Input): AsyncIterable<Page> {
  const isOne = input.limit !== undefined || input.cursor !== undefined;
  return pagesOf(context, { operation: 'history', input, all: !isOne });
}

async function* oldestFirst(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let last: Page = { items: [] };
  const items: Row[] = [];
  for await (const page of pages) {
    items.push(...page.items);
    last = page;
  }
  yield { ...last, items: items.toReversed() };
}

async function print(pages: AsyncIterable<Page>, context: CommandContext): Promise<void> {
  const { io, json, printer } = context;
  if (json !== undefined) {
    await printer.pages(pages, columns);
  } else if (io.isTerminal) {
    const { changeParagraph } = await import('../events/event-text.ts');
    const { color } = io.stdout;
    for await (const { items } of pages) {
      for (const change of items as RecordChange[])
        io.stdout.write(changeParagraph(change, { color, actor: actorOf(change) }));
    }
  } else {
    const printLines = linePrinterFor(io, columns, undefined);
    for await (const { items } of pages) printLines((items as RecordChange[]).flatMap(linesOf));
  }
}

/** Notes on stderr whether there are, or were, older versions. */
async function* noting(pages: AsyncIterable<Page>, { io, json }: CommandContext): AsyncGenerator<Page> {
  let oldest: Row | undefined;
  let cursor: string | undefined;
  for await (const page of pages) {
    oldest = page.items.at(-1) ?? oldest;
    cursor = page.nextCursor;
    yield page;
  }
  if (cursor !== undefined) {
    // A single JSON document contains the cursor.
    if (json?.isLines !== false)
      io.stderr.write('There are older versions. To see them, leave out --limit or raise it.\n');
  } else if (Number(oldest?.version) > 1) {
    io.stderr.write(`Versions before ${oldest?.version} are no longer in the log.\n`);
  }
}

/** Prints the oldest version first, so that the newest is next to the shell prompt. */
export const historyCommand = operationCommand('history', {
  addOptions: (command) => {
    command.option('--newest-first', 'Print the newest version first. Defaults to the oldest first');
    addJsonLines(command);
  },
  run: async ({ input, options }, context) => {
    const pages = noting(pagesWanted(context, input), context);
    await print(options.newestFirst ? pages : oldestFirst(pages), context);
  },
});
