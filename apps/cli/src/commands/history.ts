import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Event } from '@roster/client';
import type { Session, Start } from '../context/command-context.ts';
import { actorNames } from '../history/actor-names.ts';
import { type Difference, differencesIn } from '../history/diff.ts';
import { historyOf } from '../history/record-history.ts';
import { addJsonLines } from '../input/json-option.ts';
import { linePrinterFor } from '../output/printer.ts';
import type { Noun, Row } from '../resources.ts';
import { recordCommand } from './command-builder.ts';

/** The columns of TSV, which has a line for each change, and one for a version without any. */
const columns = ['position', 'version', 'occurredAt', 'type', 'actorId', 'field', 'before', 'after'].map(
  (place) => ({ place, title: place }),
);

/** A version with its changes instead of its states. */
function versionOf(event: Event): Row {
  const { subject: _, record: __, previous: ___, ...version } = event;
  return { ...version, changes: differencesIn(event) };
}

function linesOf(event: Event): Row[] {
  const changes: (Difference | undefined)[] = differencesIn(event);
  return (changes.length > 0 ? changes : [undefined]).map((change) => ({ ...event, ...change }));
}

/** Prints the versions as they come. */
async function print(history: AsyncIterable<Event[]>, session: Session): Promise<void> {
  const { io, json, printer } = session;
  if (json !== undefined) {
    const pages = async function* () {
      for await (const events of history) yield { items: events.map(versionOf) };
    };
    await printer.pages(pages(), columns);
  } else if (io.isTerminal) {
    const { eventParagraph } = await import('../output/event-text.ts');
    const { color } = io.stdout;
    const namesOf = actorNames(session);
    for await (const events of history) {
      const nameOf = await namesOf(events.map(({ actorId }) => actorId));
      for (const event of events) io.stdout.write(eventParagraph(event, { color, nameOf }));
    }
  } else {
    const printLines = linePrinterFor(io, columns, undefined);
    for await (const events of history) printLines(events.flatMap(linesOf));
  }
}

/** Passes the events on, and says on stderr where older ones are not kept any more. */
async function* noting(history: AsyncIterable<Event[]>, { io }: Session): AsyncGenerator<Event[]> {
  let isFirst = true;
  for await (const events of history) {
    const [oldest] = events;
    if (isFirst && oldest !== undefined && oldest.version > 1)
      io.stderr.write(`What was before version ${oldest.version} is no longer kept.\n`);
    isFirst = false;
    yield events;
  }
}

/** `history <id>`: what has become of a record, oldest first, so that the newest stands beside the prompt. */
export function historyCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const command = recordCommand(noun, 'history');
  addJsonLines(command);
  return command.action(async (id, _options, command) => {
    const session = await start(noun, command);
    await print(noting(historyOf(noun, id, session), session), session);
  });
}
