import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { EventType } from '@roster/client';
import type { Session, Start } from '../context/command-context.ts';
import { eventTypesOf, verbContract } from '../contract/contract.ts';
import { usageError } from '../errors/errors.ts';
import { inputOf } from '../input/fields.ts';
import { addColumns, addJsonLines, columnsWanted } from '../input/json-option.ts';
import type { Noun } from '../resources.ts';
import type { Wakeups } from '../watch/watch-list.ts';
import { recordCommand, verbCommand } from './command-builder.ts';
import { noteOn, pagesOf } from './list-pages.ts';

/** Seconds between two looks at what has no events. */
const INTERVAL_DEFAULT = '2';

interface ListOptions {
  all?: true;
  watch?: true;
  interval?: string;
}

/** Throws a usage error for options that say nothing together. */
function checkWatching({ watch, interval }: ListOptions, { json }: Session): void {
  if (interval !== undefined && !watch) throw usageError('--interval says nothing without --watch');
  if (watch && json?.isLines === false) {
    throw usageError('--watch never ends, and --json is one document', 'Take --jsonl instead.');
  }
}

/** What says when to look: the clock, where it is asked to or the noun has no events; else the events. */
async function wakeupsOf(types: EventType[], { interval }: ListOptions, session: Session): Promise<Wakeups> {
  const { client, callOptions } = session;
  const { signal } = callOptions;
  if (interval === undefined && types.length > 0) {
    const { atChanges } = await import('../watch/wake-on-events.ts');
    return atChanges({ client, types, signal });
  }
  const { everySeconds, secondsOf } = await import('../watch/watch-list.ts');
  return everySeconds(secondsOf(interval ?? INTERVAL_DEFAULT), signal);
}

/** `list`: a page of records, or with `--all` every page; with `--watch` again and again. */
export function listCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'list');
  const command = verbCommand(noun, 'list')
    .option('--all', 'Follow the pages to the last')
    .option('--watch', 'Go on showing what changes, until interrupted; in a pipe, each changed record')
    .option('--interval <seconds>', 'How often --watch looks, instead of at every change');
  addJsonLines(command);
  addColumns(command);
  return command.action(async (options, command) => {
    const session = await start(noun, command);
    checkWatching(options, session);
    const input = inputOf(fields, options);
    const columns = columnsWanted(command.opts(), verbContract(noun.name, 'list'), noun.columns(input));
    const pages = () => pagesOf(session, { verb: 'list', input, all: options.all === true });
    if (options.watch) {
      const { watchPages } = await import('../watch/watch-pages.ts');
      // What is shown of another noun changes with that.
      const types = [noun.singular, String(input.expand)].flatMap(eventTypesOf);
      const wakeups = await wakeupsOf(types, options, session);
      return watchPages({ pages, columns, noun, session, wakeups });
    }
    const last = await session.printer.pages(pages(), columns);
    const { io, json } = session;
    // One document says all of this itself.
    if (json?.isLines !== false) io.stderr.write(noteOn(last, noun.name));
  });
}

/** `get <id>`: one record. */
export function getCommand(noun: Noun, start: Start): CommandUnknownOpts {
  return recordCommand(noun, 'get').action(async (id, _options, command) => {
    const { procedures, printer, callOptions } = await start(noun, command);
    await printer.record(await procedures.get.query({ id }, callOptions));
  });
}
