import type { EventType } from '@roster/client';
import { verbContract } from './contract.ts';

/** The types of the events of a noun, which its singular names; none where it has no events. */
export function eventTypesOf(singular: string): EventType[] {
  const types = verbContract('events', 'list').fields.find(({ path }) => path[0] === 'types');
  return (types?.choices ?? []).filter((type) => type.startsWith(`${singular}.`)) as EventType[];
}
