import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Event, FollowQuery } from '@roster/client';
import type { CommandContext, ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { parseInput } from '../../options/fields.ts';
import { addJsonLines } from '../../output/json-option.ts';
import { linePrinterFor } from '../../output/printer.ts';
import type { Resource } from '../../resources.ts';
import { reportCursor, reportInterruptions, resolveStart } from '../../watch/follow-events.ts';
import { buildOperationCommand } from '../command-builder.ts';

/** Prints an event as one line: JSON if requested, else a formatted line on a terminal, else TSV. */
async function createPrinter(
  { io, json }: CommandContext,
  resource: Resource,
): Promise<(event: Event) => void> {
  if (!io.isTerminal || json !== undefined) {
    const print = linePrinterFor(io, resource.columns({}), json);
    return (event) => print([event]);
  }
  const { eventLine } = await import('../../history/event-text.ts');
  const { stdout, size } = io;
  return (event) => void stdout.write(eventLine(event, { color: stdout.color, width: size().columns }));
}

/** `events tail`: prints every event as it happens, and at the end the cursor to continue from. */
export function tailCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'tail');
  const command = buildOperationCommand(resource, 'tail');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    const { client, io } = context;
    const { signal } = context.callOptions;
    const query: FollowQuery = parseInput(fields, options);
    const print = await createPrinter(context, resource);
    let cursor = await resolveStart(query, context);
    const onInterruption = reportInterruptions(io);
    try {
      for await (const event of client.events.follow(
        { ...query, after: cursor },
        { signal, onInterruption },
      )) {
        print(event);
        cursor = event.cursor;
      }
    } finally {
      // After an error before the first event, the given cursor may be the cause.
      if (signal.aborted || cursor !== query.after) reportCursor(io, cursor);
    }
  });
}
