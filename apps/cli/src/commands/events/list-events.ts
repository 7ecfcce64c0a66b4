import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Row } from '../../columns.ts';
import type { CommandContext, ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { actorNames } from '../../history/actor-names.ts';
import { type Input, parseInput } from '../../options/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../../output/json-option.ts';
import type { Page } from '../../output/printer.ts';
import type { Resource } from '../../resources.ts';
import { buildOperationCommand } from '../command-builder.ts';

/** Events per page with `--all`: the maximum of the service. */
const LIMIT_OF_ALL = 200;

/** The events after a cursor: one page, or all pages. */
async function* pagesOf(context: CommandContext, input: Input, all: boolean): AsyncGenerator<Page> {
  const { procedures, callOptions } = context;
  const asked = all ? { limit: LIMIT_OF_ALL, ...input } : input;
  let page = await procedures.list.query(asked, callOptions);
  yield page;
  while (all && page.hasMore) {
    page = await procedures.list.query({ ...asked, after: page.nextAfter }, callOptions);
    yield page;
  }
}

/** Replaces the ids of keys by their names. */
async function* namingActors(pages: AsyncIterable<Page>, context: CommandContext): AsyncGenerator<Page> {
  const namesOf = actorNames(context);
  for await (const page of pages) {
    const nameOf = await namesOf(page.items.map(({ actorId }) => actorId as string | null));
    const named = ({ actorId, ...rest }: Row): Row => ({
      ...rest,
      actorId: typeof actorId === 'string' ? nameOf(actorId) : actorId,
    });
    yield { ...page, items: page.items.map(named) };
  }
}

/** The cursor to continue from. There always is one, because the log has no end. */
function noteOn({ items, nextAfter, hasMore }: Page): string {
  const none = items.length === 0 ? 'No events match. ' : '';
  const rest = hasMore ? 'There are more' : 'There are no more yet';
  return `${none}${rest}: continue with --after ${nextAfter}${hasMore ? ', or use --all' : ''}.\n`;
}

/** `events list`: the events after a cursor in the order of the log; a page, or with `--all` up to the end. */
export function listEventsCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'list');
  const command = buildOperationCommand(resource, 'list').option(
    '--all',
    'Read to the current end of the log',
  );
  addJsonLines(command);
  addColumns(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    const { io, json } = context;
    const columns = columnsWanted(
      command.opts(),
      operationContract(resource.name, 'list'),
      resource.columns({}),
    );
    const events = pagesOf(context, parseInput(fields, options), options.all === true);
    const pages = io.isTerminal && json === undefined ? namingActors(events, context) : events;
    const last = await context.printer.pages(pages, columns);
    // A single JSON document contains the cursor.
    if (json?.isLines !== false) io.stderr.write(noteOn(last));
  });
}
