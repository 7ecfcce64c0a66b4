import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { WebhookDelivery } from '@roster/client';
import type { ContextFactory } from '../context/command-context.ts';
import { operationContract } from '../contract/contract.ts';
import { inputOf } from '../input/fields.ts';
import { addColumns, columnsWanted } from '../input/json-option.ts';
import { column, type Resource } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';
import { noteOn, pagesOf } from './list-pages.ts';

const columns = [
  column<WebhookDelivery>('messageId', 'MESSAGE'),
  column<WebhookDelivery>('type', 'TYPE'),
  column<WebhookDelivery>('status', 'STATUS'),
  column<WebhookDelivery>('subject', 'RECORD'),
  column<WebhookDelivery>('finishedAt', 'FINISHED', 11),
  column<WebhookDelivery>('nextAttemptAt', 'NEXT ATTEMPT', 11),
];

/** `deliveries <id>`: the past and pending deliveries of a webhook; `--json` includes each attempt. */
export function deliveriesCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'deliveries');
  const command = buildRecordCommand(resource, 'deliveries').option('--all', 'Fetch all pages');
  addColumns(command);
  return command.action(async (id, options, command) => {
    const context = await createContext(resource, command);
    const input = { ...inputOf(fields, options), id };
    const pages = pagesOf(context, { operation: 'deliveries', input, all: options.all === true });
    const last = await context.printer.pages(
      pages,
      columnsWanted(command.opts(), operationContract(resource.name, 'deliveries'), columns),
    );
    if (context.json === undefined) context.io.stderr.write(noteOn(last, 'deliveries'));
  });
}
