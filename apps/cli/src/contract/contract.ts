import type { EventType } from '@roster/client';
import { composed } from './client-side-commands.ts';
import contractJson from './contract.json' with { type: 'json' };
import type { Contract, VerbContract } from './types.ts';

/**
 * Read from a file that is derived from the API's own document (`scripts/contract.ts`): loading the schemas themselves
 * would cost every start ten times what everything else costs. A test fails while the file is not up to date.
 */
const contract: Contract = contractJson as Contract;

/** The names of all procedures, such as `offices.create`. */
export function procedureNames(): string[] {
  return Object.entries(contract).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
}

/** What the service says of one verb of a noun, such as `create` of `offices`, or we say of one of ours. */
export function verbContract(noun: string, verb: string): VerbContract {
  const found = contract[noun]?.[verb] ?? composed[verb]?.(noun, verbContract);
  if (found === undefined) throw new Error(`There is no ${noun} ${verb} in the contract`);
  return found;
}

/** The types of the events of a record, which its singular names; none where the default of the log has none. */
export function eventTypesOf(singular: string): EventType[] {
  const types = verbContract('events', 'list').fields.find(({ path }) => path[0] === 'types');
  // Lists of keys and webhooks show what no event tells, such as the last use.
  if (singular === 'key' || singular === 'webhook') return [];
  return (types?.choices ?? []).filter((type) => type.startsWith(`${singular}.`)) as EventType[];
}
