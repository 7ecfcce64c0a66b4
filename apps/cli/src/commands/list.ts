import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { verbContract } from '../contract.ts';
import { type Input, inputOf } from '../fields.ts';
import type { Noun } from '../nouns.ts';
import type { Page } from '../output/printer.ts';
import type { Session, Start } from '../session.ts';
import { verbCommand } from './verb-command.ts';

/** Records a page while all are fetched: the most the service gives at once. */
const LIMIT_OF_ALL = 200;

async function* pagesOf(
  { procedures, callOptions }: Session,
  input: Input,
  all: boolean,
): AsyncGenerator<Page> {
  let page = await procedures.list.query(all ? { limit: LIMIT_OF_ALL, ...input } : input, callOptions);
  yield page;
  while (all && page.nextCursor !== undefined) {
    // The first page has already counted.
    const { includeTotal: _, ...rest } = input;
    const { total } = page;
    const next = { limit: LIMIT_OF_ALL, ...rest, cursor: page.nextCursor };
    page = await procedures.list.query(next, callOptions);
    if (total !== undefined) page = { ...page, total };
    yield page;
  }
}

/** What a person needs to know beside the rows: that there are none, how many there are, that there are more. */
function noteOn({ items, total, nextCursor }: Page, { name }: Noun): string {
  const notes: string[] = [];
  if (total !== undefined) notes.push(`${total} ${name} match.`);
  else if (items.length === 0) notes.push(`No ${name} match.`);
  if (nextCursor !== undefined)
    notes.push(`There are more: go on with --cursor ${nextCursor}, or take --all.`);
  return notes.map((note) => `${note}\n`).join('');
}

/** `list`: a page of records, or with `--all` every page. */
export function listCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'list');
  return verbCommand(noun, 'list')
    .option('--all', 'Follow the pages to the last')
    .action(async (options, command) => {
      const session = await start(noun, command);
      const input = inputOf(fields, options);
      const pages = pagesOf(session, input, options.all === true);
      const last = await session.printer.pages(pages, noun.columns(input));
      if (!('json' in options)) session.io.stderr.write(noteOn(last, noun));
    });
}
