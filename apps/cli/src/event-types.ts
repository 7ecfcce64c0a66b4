import type { EventType } from '@roster/client';
import { verbContract } from './contract.ts';

/** The types of the events of a record, which its singular names; none where the default of the log has none. */
export function eventTypesOf(singular: string): EventType[] {
  const types = verbContract('events', 'list').fields.find(({ path }) => path[0] === 'types');
  // Lists of keys and webhooks show what no event tells, such as the last use.
  if (singular === 'key' || singular === 'webhook') return [];
  return (types?.choices ?? []).filter((type) => type.startsWith(`${singular}.`)) as EventType[];
}
