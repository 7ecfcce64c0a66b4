import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { verbContract } from '../contract.ts';
import { usageError } from '../failures.ts';
import { inputOf } from '../fields.ts';
import { addJsonLines } from '../json-option.ts';
import { noteOn, pagesOf } from '../list-pages.ts';
import type { Noun } from '../nouns.ts';
import type { Session, Start } from '../session.ts';
import { verbCommand } from './verb-command.ts';

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

/** `list`: a page of records, or with `--all` every page; with `--watch` again and again. */
export function listCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'list');
  const command = verbCommand(noun, 'list')
    .option('--all', 'Follow the pages to the last')
    .option('--watch', 'Go on showing what changes, until interrupted; in a pipe, each changed record')
    .option('--interval <seconds>', 'How often --watch looks; 2 unless given');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const session = await start(noun, command);
    checkWatching(options, session);
    const input = inputOf(fields, options);
    const columns = noun.columns(input);
    const pages = () => pagesOf(session, { verb: 'list', input, all: options.all === true });
    if (options.watch) {
      const { everySeconds, secondsOf } = await import('../watch.ts');
      const { watchPages } = await import('../watch-pages.ts');
      const wakeups = everySeconds(secondsOf(options.interval ?? '2'), session.callOptions.signal);
      return watchPages({ pages, columns, noun, session, wakeups });
    }
    const last = await session.printer.pages(pages(), columns);
    const { io, json } = session;
    // One document says all of this itself.
    if (json?.isLines !== false) io.stderr.write(noteOn(last, noun.name));
  });
}
