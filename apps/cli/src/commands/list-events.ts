import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { verbContract } from '../contract.ts';
import { type Input, inputOf } from '../fields.ts';
import { addJsonLines } from '../json-option.ts';
import type { Noun } from '../nouns.ts';
import type { Page } from '../output/printer.ts';
import type { Session, Start } from '../session.ts';
import { verbCommand } from './verb-command.ts';

/** Events a page while all are read: the most the service gives at once. */
const LIMIT_OF_ALL = 200;

/** The events from a place on: some of them, or all there are. */
async function* pagesOf(session: Session, input: Input, all: boolean): AsyncGenerator<Page> {
  const { procedures, callOptions } = session;
  const asked = all ? { limit: LIMIT_OF_ALL, ...input } : input;
  let page = await procedures.list.query(asked, callOptions);
  yield page;
  while (all && page.hasMore) {
    page = await procedures.list.query({ ...asked, after: page.nextAfter }, callOptions);
    yield page;
  }
}

/** Where to go on, which is always somewhere: the log has no end. */
function noteOn({ items, nextAfter, hasMore }: Page): string {
  const none = items.length === 0 ? 'No events match. ' : '';
  const rest = hasMore ? 'There are more' : 'There are no more yet';
  return `${none}${rest}: go on with --after ${nextAfter}${hasMore ? ', or take --all' : ''}.\n`;
}

/** `events list`: the log from a place on, in its own order, some of it or with `--all` up to its end. */
export function listEventsCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'list');
  const command = verbCommand(noun, 'list').option('--all', 'Read on to the end of the log as it is now');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const session = await start(noun, command);
    const pages = pagesOf(session, inputOf(fields, options), options.all === true);
    const last = await session.printer.pages(pages, noun.columns({}));
    const { io, json } = session;
    // One document says this itself.
    if (json?.isLines !== false) io.stderr.write(noteOn(last));
  });
}
