import { Command } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import { addFields, addIdempotencyKey } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import { addJson } from '../ui/json-option.ts';

/**
 * Builds the command of an operation from its contract: summary and description, an option for each field of its input,
 * `--idempotency-key` if it applies, and the options of the output. Throws if the resource has no such operation.
 */
export function buildOperationCommand(resource: Pick<Resource, 'name'>, operation: string): Command {
  const contract = operationContract(resource.name, operation);
  const command = new Command(operation).summary(contract.summary).description(contract.description);
  addFields(command, contract.fields, contract.isQuery ? 'Options:' : 'Fields:');
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return command;
}

/**
 * Builds the command of an operation on one record, or on something else of the resource, with its id as the argument, and behind it the
 * ids of what it is done with.
 */
export function buildRecordCommand(resource: Resource, operation: string, subject = resource.singular) {
  const command = buildOperationCommand(resource, operation).argument('<id>', `ID of the ${subject}`);
  const { pathFields = [] } = operationContract(resource.name, operation);
  for (const { flag, description } of pathFields) command.argument(`<${flag}>`, description);
  return command;
}
