import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ImportError, ImportRow, JobError, WebhookDelivery } from '@roster/client';
import { type Column, column } from '../columns.ts';
import type { ContextFactory } from '../context/command-context.ts';
import { operationContract } from '../contract/contract.ts';
import { parseInput } from '../options/fields.ts';
import { addColumns, columnsWanted } from '../output/json-option.ts';
import type { Resource } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';
import { noteOn, pagesOf } from './records/list-pages.ts';

/** Builds a command that lists what belongs to one record: the first page, or with `--all` every page. */
function listOfOneCommand(operation: 'deliveries' | 'errors' | 'rows', columns: Column[]) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const contract = operationContract(resource.name, operation);
    const command = buildRecordCommand(resource, operation).option('--all', 'Fetch all pages');
    addColumns(command);
    return command.action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const input = { ...parseInput(contract.fields, options), id };
      const pages = pagesOf(context, { operation, input, all: options.all === true });
      const last = await context.printer.pages(pages, columnsWanted(command.opts(), contract, columns));
      if (context.json === undefined) context.io.stderr.write(noteOn(last, operation));
    });
  };
}

/** `deliveries <id>`: the past and pending deliveries of a webhook; `--json` includes each attempt. */
export const deliveriesCommand = listOfOneCommand('deliveries', [
  column<WebhookDelivery>('messageId', 'MESSAGE'),
  column<WebhookDelivery>('type', 'TYPE'),
  column<WebhookDelivery>('status', 'STATUS'),
  column<WebhookDelivery>('subject', 'RECORD'),
  column<WebhookDelivery>('finishedAt', 'FINISHED', 11),
  column<WebhookDelivery>('nextAttemptAt', 'NEXT ATTEMPT', 11),
]);

const jobErrorsCommand = listOfOneCommand('errors', [
  column<JobError>('id', 'RECORD'),
  column<JobError>('code', 'CODE'),
  column<JobError>('detail', 'REASON', 20),
]);

const importErrorsCommand = listOfOneCommand('errors', [
  column<ImportError>('row', 'ROW'),
  column<ImportError>('column', 'COLUMN'),
  column<ImportError>('value', 'VALUE', 14),
  column<ImportError>('detail', 'REASON', 20),
]);

/** `errors <id>`: the records that a job could not change, or the rows that an import has rejected, with the reasons. */
export function errorsCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const make = resource.name === 'imports' ? importErrorsCommand : jobErrorsCommand;
  return make(resource, createContext);
}

/** `rows <id>`: the rows of an import, with what becomes of them; `--json` includes the fields that change. */
export const rowsCommand = listOfOneCommand('rows', [
  column<ImportRow>('row', 'ROW'),
  column<ImportRow>('outcome', 'OUTCOME'),
  column<ImportRow>('recordId', 'RECORD'),
  column<ImportRow>('matchedBy', 'MATCHED BY'),
  column<ImportRow>('suspicious', 'SUSPICIOUS'),
]);
