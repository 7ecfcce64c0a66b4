import { Command } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import { addFields, addIdempotencyKey } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import { addJson } from '../ui/json-option.ts';

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
