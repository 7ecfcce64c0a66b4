import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { bulkChangesOf, operationContract } from '../../contract/operations.ts';
import { collect, type Input, parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';
import { type ChangeOptions, parseChange } from './bulk-change.ts';
import { addConfirmation, runConfirmed } from './bulk-confirmation.ts';

interface BulkOptions extends ChangeOptions {
  all?: true;
  reason?: string;
}

function addChange(command: CommandUnknownOpts, { name }: Resource): void {
  const add = (flags: string, description: string) =>
    command.addOption(new Option(flags, description).helpGroup('Change:'));
  const set = new Option(
    '--set <field=value>',
    'Set a field, named as in the API (address.city); empty clears it',
  );
  command.addOption(set.argParser<string[]>(collect).helpGroup('Change:'));
  add('--data <json>', 'The fields to set as JSON: itself, @file, or - for stdin; --set takes precedence');
  add('--deactivate', `Deactivate the ${name}`);
  add('--reactivate', `Reactivate the ${name}`);
  add('--delete', `Delete the ${name}`);
  if (bulkChangesOf(name).includes('transfer'))
    add('--transfer-to <office-id>', `Move the ${name} to this office`);
  add('--reason <text>', 'Why; kept in the events');
}

const verbs: Record<string, string> = {
  deactivate: 'Deactivate',
  reactivate: 'Reactivate',
  delete: 'Delete',
  transfer: 'Transfer',
};

/** `bulk`: changes all records that the filters select, after showing how many they are. */
export function bulkCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'bulk');
  const command = buildOperationCommand(resource, 'bulk');
  command.option('--all', `Select all ${resource.name}; required without a filter`);
  addChange(command, resource);
  addConfirmation(command);
  return command.action(async (_options, command) => {
    const options = command.opts() as BulkOptions;
    const context = await createContext(resource, command);
    const change = await parseChange(resource.name, options, context);
    const input: Input = {
      filter: { ...parseInput(contract.fields, command.opts()), ...(options.all && { all: true }) },
      change,
      ...(options.reason !== undefined && { reason: options.reason }),
    };
    const names = [resource.singular, resource.name] as const;
    const verb = verbs[String(change.type)] ?? 'Change';
    await runConfirmed({ call: context.procedures.bulk, input, names, verb }, command, context);
  });
}
