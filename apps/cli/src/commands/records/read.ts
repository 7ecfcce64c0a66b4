import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { EventType } from '@roster/client';
import type { Row } from '../../columns.ts';
import type { CommandContext, ContextFactory } from '../../context/command-context.ts';
import { eventTypesOf, operationContract } from '../../contract/contract.ts';
import { camelCase } from '../../contract/fields.ts';
import { usageError } from '../../errors/errors.ts';
import { parseInput } from '../../options/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../../output/json-option.ts';
import type { Resource } from '../../resources.ts';
import type { Wakeups } from '../../watch/watch-list.ts';
import { buildOperationCommand, buildRecordCommand } from '../command-builder.ts';
import { reportNeededLinks } from '../invitation.ts';
import { noteOn, pagesOf } from './lists.ts';

/** Polling interval for lists without events, in seconds. */
const INTERVAL_DEFAULT = '2';

interface ListOptions {
  all?: true;
  watch?: true;
  interval?: string;
}

/** Throws a usage error for options that contradict each other. */
function checkWatching({ watch, interval }: ListOptions, { json }: CommandContext): void {
  if (interval !== undefined && !watch) throw usageError('--interval requires --watch');
  if (watch && json?.isLines === false) {
    throw usageError('--watch never ends, and --json is a single document', 'Use --jsonl instead.');
  }
}

/** When to read the list again: after events, or at an interval if one is given or the resource has no events. */
async function chooseWakeups(
  types: EventType[],
  { interval }: ListOptions,
  context: CommandContext,
): Promise<Wakeups> {
  const { client, callOptions } = context;
  const { signal } = callOptions;
  if (interval === undefined && types.length > 0) {
    const { wakeOnEvents } = await import('../../watch/wake-on-events.ts');
    return wakeOnEvents({ client, types, signal });
  }
  const { everySeconds, secondsOf } = await import('../../watch/watch-list.ts');
  return everySeconds(secondsOf(interval ?? INTERVAL_DEFAULT), signal);
}

/** `list`: a page of records, or with `--all` every page; with `--watch` it repeats after changes. */
export function listCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'list');
  const command = buildOperationCommand(resource, 'list')
    .option('--all', 'Fetch all pages')
    .option('--watch', 'Keep updating the list until interrupted; in a pipe, print each changed record')
    .option('--interval <seconds>', 'How often --watch reads the list, instead of after every change');
  addJsonLines(command);
  addColumns(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    checkWatching(options, context);
    const input = parseInput(fields, options);
    const columns = columnsWanted(
      command.opts(),
      operationContract(resource.name, 'list'),
      resource.columns(input),
    );
    const pages = () => pagesOf(context, { operation: 'list', input, all: options.all === true });
    if (options.watch) {
      const { watchPages } = await import('../../watch/watch-pages.ts');
      // Expanded records of another resource may change too.
      const types = [resource.singular, String(input.expand)].flatMap(eventTypesOf);
      const wakeups = await chooseWakeups(types, options, context);
      return watchPages({ pages, columns, resource, context, wakeups });
    }
    const last = await context.printer.pages(pages(), columns);
    const { io, json } = context;
    if (resource.name === 'people') reportNeededLinks(last.items, context);
    // A single JSON document contains all of this.
    if (json?.isLines !== false) io.stderr.write(noteOn(last, resource.name.replace('-', ' ')));
  });
}

/** Builds a command that prints the answer of an operation: of one record, or of what there is one of. */
export function readCommand(operation: string) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const { fields, hasId } = operationContract(resource.name, operation);
    const build = hasId ? buildRecordCommand : buildOperationCommand;
    const command: CommandUnknownOpts = build(resource, operation);
    return command.action(async () => {
      const { procedures, printer, callOptions } = await createContext(resource, command);
      const id = hasId && { id: command.processedArgs[0] };
      const input = { ...parseInput(fields, command.opts()), ...id };
      await printer.record((await procedures[camelCase(operation)]?.query(input, callOptions)) as Row);
    });
  };
}
