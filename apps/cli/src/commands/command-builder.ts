import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Row, valueAt } from '../contract/columns.ts';
import { camelCase } from '../contract/fields.ts';
import { operationContract } from '../contract/operations.ts';
import { addFields, addIdempotencyKey, type Input } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import { usageError } from '../errors.ts';
import { addJson } from '../ui/json-option.ts';
import type { CommandContext, ContextFactory } from './context.ts';
import { inputWithData } from './json-body.ts';

/** Builds the command of an operation from its contract. Throws if the resource has no such operation. */
export function buildOperationCommand(resource: Pick<Resource, 'name'>, operation: string): Command {
  const contract = operationContract(resource.name, operation);
  const command = new Command(operation).summary(contract.summary).description(contract.description);
  addFields(command, contract.fields, contract.isQuery ? 'Options:' : 'Fields:');
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return command;
}

/** Builds the command of an operation on one record. Its ID is the first argument; other IDs of the path follow. */
export function buildRecordCommand(resource: Resource, operation: string, subject = resource.singular) {
  const command = buildOperationCommand(resource, operation).argument('<id>', `ID of the ${subject}`);
  const { pathFields = [] } = operationContract(resource.name, operation);
  for (const { flag, description } of pathFields) command.argument(`<${flag}>`, description);
  return command;
}

/** Builds a command of a resource. */
export type MakeCommand = (resource: Resource, createContext: ContextFactory) => CommandUnknownOpts;

/** A call of a command, with the input that its arguments and options describe. */
export interface Call {
  resource: Resource;
  operation: string;
  input: Input;
  /** All options, those without a field in the input too. */
  options: Readonly<Record<string, unknown>>;
}

interface OperationCommand {
  /** The owner of the ID, unless that is a record. */
  subject?: string;
  /** Adds the options without a field in the input. */
  addOptions?: (command: CommandUnknownOpts, resource: Resource) => void;
  run: (call: Call, context: CommandContext) => Promise<void>;
}

/** A command that calls its operation with one input: that of its arguments, its options and `--data`. */
export function operationCommand(
  operation: string,
  { subject, addOptions, run }: OperationCommand,
): MakeCommand {
  return (resource, createContext) => {
    const { fields, hasId, pathFields = [] } = operationContract(resource.name, operation);
    const command: CommandUnknownOpts = hasId
      ? buildRecordCommand(resource, operation, subject)
      : buildOperationCommand(resource, operation);
    addOptions?.(command, resource);
    return command.action(async () => {
      const context = await createContext(resource, command);
      const options: Record<string, unknown> = command.opts();
      const given = await inputWithData(fields, options, context);
      const named = pathFields.map(({ path: [name = ''] }, index) => [
        name,
        command.processedArgs[index + 1],
      ]);
      const input = { ...given, ...Object.fromEntries(named) };
      if (hasId) {
        const id = String(command.processedArgs[0]);
        if (typeof given.id === 'string' && given.id.toLowerCase() !== id.toLowerCase())
          throw usageError(`--data has the ID ${given.id}, and the command changes ${id}`);
        input.id = id;
      }
      await run({ resource, operation, input, options }, context);
    });
  };
}

interface Change {
  resource: { name: string };
  operation: string;
  input: Input;
}

/** Sends a change. Resolves to the record in the response; undefined if there is none. */
export async function applyChange<Record extends Row = Row>(
  { resource, operation, input }: Change,
  { procedures, callOptions }: CommandContext,
): Promise<Record | undefined> {
  const procedure = procedures[camelCase(operation)];
  if (procedure === undefined) throw new Error(`There is no procedure ${resource.name}.${operation}`);
  return procedure.mutate(input, callOptions);
}

const pastTense: Readonly<Record<string, string>> = {
  create: 'Created',
  invite: 'Invited',
  update: 'Updated',
  revert: 'Reverted',
  merge: 'Merged into',
  unmerge: 'Restored',
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  transfer: 'Transferred',
  'transfer-agents': 'Transferred the agents of',
  schedule: 'Scheduled a change of',
  restore: 'Restored',
  cancel: 'Cancelled',
  revoke: 'Revoked',
  'revoke-sessions': 'Ended the sessions of',
  rotate: 'Rotated the secret of',
  replay: 'Replaying the events to',
};

interface ChangeReport {
  resource: Pick<Resource, 'singular' | 'nameField'>;
  operation: string;
  record: Row;
  /** The other records that were changed: `and its 24 agents`. */
  with?: string;
}

/**
 * Prints the result of a change: one sentence on a terminal, the record in a pipe. A response that isn't a record of the
 * resource, such as that of `webhooks test`, is printed unchanged.
 */
export async function reportChange(report: ChangeReport, { printer, io }: CommandContext): Promise<void> {
  const { resource, operation, record } = report;
  const done = pastTense[operation];
  const name = valueAt(record, resource.nameField);
  if (!printer.isForPeople || done === undefined || name === undefined) {
    await printer.record(record);
  } else {
    const id = operation === 'create' || operation === 'invite' ? ` (${record.id})` : '';
    // The name is that of a different record, to which this one belongs.
    const own = resource.nameField.includes('.') ? `the ${resource.singular} of ` : '';
    io.stderr.write(`${done} ${own}${name}${report.with === undefined ? '' : ` ${report.with}`}${id}\n`);
    if ('secret' in record) {
      const { listing } = await import('../ui/table.ts');
      io.stdout.write(listing({ secret: record.secret }, io.stdout.color));
    }
    if (typeof record.link === 'string') io.stdout.write(`${record.link}\n`);
  }
  if (io.isTerminal && 'secret' in record) {
    io.stderr.write("The secret is shown only once: store it now, it can't be shown again.\n");
  }
  if (io.isTerminal && typeof record.link === 'string') {
    io.stderr.write(
      'The link is shown only once and works once. Anyone who opens it can sign in as this person: share it with no one else.\n',
    );
  }
}
