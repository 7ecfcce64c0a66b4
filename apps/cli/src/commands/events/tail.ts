import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Event } from '@roster/client';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { addJsonLines } from '../../ui/json-option.ts';
import { linePrinterFor } from '../../ui/printer.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
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

export function tailCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'tail');
  const command = buildOperationCommand(resource, 'tail');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const context = await createContext(resource, command);
    const print = await createPrinter(context, resource);
    for await (const event of followEvents(parseInput(fields, options), context)) print(event);
  });
}
