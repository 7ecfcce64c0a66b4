import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Event } from '@roster/client';
import type { CommandContext, ContextFactory } from '../context/command-context.ts';
import { actorNames } from '../history/actor-names.ts';
import { type Difference, diffEvent } from '../history/event-diff.ts';
import { readHistory } from '../history/record-history.ts';
import { addJsonLines } from '../input/json-option.ts';
import { linePrinterFor } from '../output/printer.ts';
import type { Resource, Row } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';

/** The columns of TSV: a line per changed field, and one for a version without changes. */
const columns = ['position', 'version', 'occurredAt', 'type', 'actorId', 'field', 'before', 'after'].map(
  (field) => ({ field, title: field }),
);

/** An event with its changes instead of the states of the record. */
function versionOf(event: Event): Row {
  const { subject: _, record: __, previous: ___, ...version } = event;
  return { ...version, changes: diffEvent(event) };
}

function linesOf(event: Event): Row[] {
  const changes: (Difference | undefined)[] = diffEvent(event);
  return (changes.length > 0 ? changes : [undefined]).map((change) => ({ ...event, ...change }));
}

/** Prints the versions as they arrive. */
async function print(history: AsyncIterable<Event[]>, context: CommandContext): Promise<void> {
  const { io, json, printer } = context;
  if (json !== undefined) {
    const pages = async function* () {
      for await (const events of history) yield { items: events.map(versionOf) };
    };
    await printer.pages(pages(), columns);
  } else if (io.isTerminal) {
    const { eventParagraph } = await import('../output/event-text.ts');
    const { color } = io.stdout;
    const namesOf = actorNames(context);
    for await (const events of history) {
      const nameOf = await namesOf(events.map(({ actorId }) => actorId));
      for (const event of events) io.stdout.write(eventParagraph(event, { color, nameOf }));
    }
  } else {
    const printLines = linePrinterFor(io, columns, undefined);
    for await (const events of history) printLines(events.flatMap(linesOf));
  }
}

/** Yields the events unchanged, and prints a note to stderr if older ones are no longer in the log. */
async function* noting(history: AsyncIterable<Event[]>, { io }: CommandContext): AsyncGenerator<Event[]> {
  let isFirst = true;
  for await (const events of history) {
    const [oldest] = events;
    if (isFirst && oldest !== undefined && oldest.version > 1)
      io.stderr.write(`Versions before ${oldest.version} are no longer in the log.\n`);
    isFirst = false;
    yield events;
  }
}

/** `history <id>`: the versions of a record, oldest first, so that the newest is next to the shell prompt. */
export function historyCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const command = buildRecordCommand(resource, 'history');
  addJsonLines(command);
  return command.action(async (id, _options, command) => {
    const context = await createContext(resource, command);
    await print(noting(readHistory(resource, id, context), context), context);
  });
}
