import type { FieldError } from '@roster/client';
import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import { inputFields, type Operation } from '@roster/fields';
import { checkFields } from '@roster/fields/check';
import { pointerTo } from '@roster/fields/json-pointer';
import { alsoPrinted, clientSideCommands } from './client-side-commands.ts';
import { camelCase, type OperationContract, optionsOf } from './fields.ts';

export function procedureNames(): string[] {
  return Object.keys(operations);
}

function withOptions({ pathParameters, fields, conditions, ...operation }: Operation): OperationContract {
  const others = pathParameters.filter(({ name }) => name !== 'id');
  const ofConditions = conditions.flatMap((field) => optionsOf([], field));
  return {
    ...operation,
    hasId: others.length < pathParameters.length,
    pathFields: others.flatMap((field) => optionsOf([], field)),
    fields: [
      ...fields.flatMap((field) => optionsOf([], field)),
      ...ofConditions.map((field) => ({ ...field, isCondition: true as const })),
    ],
  };
}

const contracts = new Map<string, OperationContract>();

function contractOf(procedure: string): OperationContract | undefined {
  const operation = operations[procedure];
  if (operation === undefined) return undefined;
  const returned = [...operation.returned, ...(alsoPrinted[procedure] ?? [])];
  const contract = contracts.get(procedure) ?? withOptions({ ...operation, returned });
  contracts.set(procedure, contract);
  return contract;
}

function partsIn(resource: string, name: string): string[] | undefined {
  const contract = Object.entries(records).find(([one]) => one === resource)?.[1];
  const field = contract?.fields.find((one) => one.name === name);
  if (field === undefined || field.kind === 'map') return undefined;
  return (field.parts ?? []).map((part) => part.name);
}

/**
 * The contract of an operation of the service, such as `create` of `offices`, or of a client-side command. Throws if there is
 * none.
 */
export function operationContract(resource: string, operation: string): OperationContract {
  const found =
    clientSideCommands[operation]?.(resource, operationContract) ??
    contractOf(`${camelCase(resource)}.${camelCase(operation)}`);
  if (found === undefined) throw new Error(`There is no ${resource} ${operation} in the contract`);
  return { ...found, partsOf: (field) => partsIn(resource, field) };
}

export function hasPreview(resource: string, operation: string): boolean {
  return `${camelCase(resource)}.${camelCase(`preview-${operation}`)}` in operations;
}

/** The changes that a job can make of the records of a resource: the values of `type` in the body of `bulk`. */
export function bulkChangesOf(resource: string): string[] {
  const change = operations[`${camelCase(resource)}.bulk`]?.fields.find(({ name }) => name === 'change');
  const parts = change?.variants?.flat() ?? [];
  return parts.flatMap(({ name, choices = [] }) => (name === 'type' ? choices : []));
}

/**
 * Validates a change against the contract, without calling the service. Rules about other records are left to the service.
 * Returns an empty list for valid input and for queries.
 */
export function validateInput(procedure: string, input: Record<string, unknown>): FieldError[] {
  const operation = operations[procedure];
  if (operation === undefined || operation.isQuery) return [];
  return checkFields(inputFields(operation), input).map(({ path, code, detail }) => ({
    pointer: pointerTo(path),
    code,
    detail,
  }));
}
