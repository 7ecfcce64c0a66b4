import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Event, FollowQuery } from '@roster/client';
import type { Session, Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { inputOf } from '../input/fields.ts';
import { addJsonLines } from '../input/json-option.ts';
import { linePrinterFor } from '../output/printer.ts';
import type { Noun } from '../resources.ts';
import { endOfLog } from '../watch/follow.ts';
import { verbCommand } from './command-builder.ts';

/** What puts an event on a line at once: JSON if asked for, else what a person reads, else TSV. */
async function printerOf({ io, json }: Session, noun: Noun): Promise<(event: Event) => void> {
  if (!io.isTerminal || json !== undefined) {
    const print = linePrinterFor(io, noun.columns({}), json);
    return (event) => print([event]);
  }
  const { eventLine } = await import('../output/event-text.ts');
  const { stdout, size } = io;
  return (event) => void stdout.write(eventLine(event, { color: stdout.color, width: size().columns }));
}

/** `events tail`: every event as it happens, and at the end where to go on. */
export function tailCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'tail');
  const command = verbCommand(noun, 'tail');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const session = await start(noun, command);
    const { client, io } = session;
    const { signal } = session.callOptions;
    const query: FollowQuery = inputOf(fields, options);
    const print = await printerOf(session, noun);
    let place = await endOfLog(query, session);
    const onInterruption = ({ message }: Error, waitMs: number) =>
      void io.stderr.write(`${message} Trying again in ${(waitMs / 1_000).toFixed(1)} s.\n`);
    try {
      for await (const event of client.events.follow(
        { ...query, after: place },
        { signal, onInterruption },
      )) {
        print(event);
        place = event.cursor;
      }
    } finally {
      // A place that was refused is none to go on from.
      if (signal.aborted || place !== query.after) io.stderr.write(`Go on with: --after ${place}\n`);
    }
  });
}
