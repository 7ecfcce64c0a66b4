import type { EventType } from '@roster/client';
import { clientSideCommands } from './client-side-commands.ts';
import contractJson from './contract.json' with { type: 'json' };
import type { Contract, OperationContract } from './types.ts';

/**
 * Generated from the OpenAPI document (`scripts/contract.ts`), because loading the schemas themselves would dominate the
 * start of every command. `contract.test.ts` fails if the file is out of date.
 */
const contract: Contract = contractJson as Contract;

/** The names of all procedures, such as `offices.create`. */
export function procedureNames(): string[] {
  return Object.entries(contract).flatMap(([resource, operations]) =>
    Object.keys(operations).map((operation) => `${resource}.${operation}`),
  );
}

/** The name that a word of the command line has in RPC: `transferAgents` of `transfer-agents`. */
export function nameInRpc(word: string): string {
  return word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The contract of an operation of the service, such as `create` of `offices`, or of a client-side command, also of one that stands
 * for an operation of its name.
 */
export function operationContract(resource: string, operation: string): OperationContract {
  const found =
    clientSideCommands[operation]?.(resource, operationContract) ??
    contract[nameInRpc(resource)]?.[nameInRpc(operation)];
  if (found === undefined) throw new Error(`There is no ${resource} ${operation} in the contract`);
  return found;
}

/** The event types of a kind of record (`office`); none for kinds that the log leaves out by default. */
export function eventTypesOf(singular: string): EventType[] {
  const types = operationContract('events', 'list').fields.find(({ path }) => path[0] === 'types');
  // Lists of keys and webhooks show fields that change without an event, such as the last use.
  if (singular === 'key' || singular === 'webhook') return [];
  return (types?.choices ?? []).filter((type) => type.startsWith(`${singular}.`)) as EventType[];
}
