import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Session, Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { actorNames } from '../history/actor-names.ts';
import { type Input, inputOf } from '../input/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../input/json-option.ts';
import type { Page } from '../output/printer.ts';
import type { Noun, Row } from '../resources.ts';
import { verbCommand } from './command-builder.ts';

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

/** The same pages, with the names of keys in the place of their ids. */
async function* namingActors(pages: AsyncIterable<Page>, session: Session): AsyncGenerator<Page> {
  const namesOf = actorNames(session);
  for await (const page of pages) {
    const nameOf = await namesOf(page.items.map(({ actorId }) => actorId as string | null));
    const named = ({ actorId, ...rest }: Row): Row => ({
      ...rest,
      actorId: typeof actorId === 'string' ? nameOf(actorId) : actorId,
    });
    yield { ...page, items: page.items.map(named) };
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
  addColumns(command);
  return command.action(async (options, command) => {
    const session = await start(noun, command);
    const { io, json } = session;
    const columns = columnsWanted(command.opts(), verbContract(noun.name, 'list'), noun.columns({}));
    const events = pagesOf(session, inputOf(fields, options), options.all === true);
    const pages = io.isTerminal && json === undefined ? namingActors(events, session) : events;
    const last = await session.printer.pages(pages, columns);
    // One document says this itself.
    if (json?.isLines !== false) io.stderr.write(noteOn(last));
  });
}
