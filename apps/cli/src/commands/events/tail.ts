import type { Event } from '@roster/client';
import type { Resource } from '../../contract/resources.ts';
import { addJsonLines } from '../../ui/json-option.ts';
import { linePrinterFor } from '../../ui/printer.ts';
import { operationCommand } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { followEvents } from './follow.ts';

async function createPrinter(
  { io, json, printer }: CommandContext,
  resource: Resource,
): Promise<(event: Event) => void> {
  if (!printer.isForPeople) {
    const print = linePrinterFor(io, resource.columns({}), json);
    return (event) => print([event]);
  }
  const { eventLine } = await import('./event-text.ts');
  const { stdout, size } = io;
  return (event) => void stdout.write(eventLine(event, { color: stdout.color, width: size().columns }));
}

export const tailCommand = operationCommand('tail', {
  addOptions: addJsonLines,
  run: async ({ resource, input }, context) => {
    const print = await createPrinter(context, resource);
    for await (const event of followEvents(input, context)) print(event);
  },
});
