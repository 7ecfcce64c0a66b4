import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
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
