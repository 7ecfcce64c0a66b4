import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { WebhookDelivery } from '@roster/client';
import type { Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { inputOf } from '../input/fields.ts';
import { addColumns, columnsWanted } from '../input/json-option.ts';
import { column, type Noun } from '../resources.ts';
import { recordCommand } from './command-builder.ts';
import { noteOn, pagesOf } from './list-pages.ts';

const columns = [
  column<WebhookDelivery>('messageId', 'MESSAGE'),
  column<WebhookDelivery>('type', 'TYPE'),
  column<WebhookDelivery>('status', 'STATUS'),
  column<WebhookDelivery>('subject', 'RECORD'),
  column<WebhookDelivery>('finishedAt', 'FINISHED', 11),
  column<WebhookDelivery>('nextAttemptAt', 'NEXT ATTEMPT', 11),
];

/** `deliveries <id>`: what was sent, and is to be sent, to one webhook; `--json` shows each attempt. */
export function deliveriesCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'deliveries');
  const command = recordCommand(noun, 'deliveries').option('--all', 'Follow the pages to the last');
  addColumns(command);
  return command.action(async (id, options, command) => {
    const session = await start(noun, command);
    const input = { ...inputOf(fields, options), id };
    const pages = pagesOf(session, { verb: 'deliveries', input, all: options.all === true });
    const last = await session.printer.pages(
      pages,
      columnsWanted(command.opts(), verbContract(noun.name, 'deliveries'), columns),
    );
    if (session.json === undefined) session.io.stderr.write(noteOn(last, 'deliveries'));
  });
}
