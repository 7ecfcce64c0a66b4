import { beforeAll } from 'vitest';
import type { Caller } from '../caller.ts';
import { useDatabase } from '../use-database.ts';

/** The condition of a list of agents. */
export type AgentQuery = NonNullable<Parameters<Caller['agents']['list']>[0]>;

export const people: [firstName: string, lastName: string, city?: string][] = [
  ['João', 'Figueiredo', 'Évora'],
  ['Joao', 'Figueira', 'Lagos'],
  ['Ana', 'Figueiredo', 'Lisboa'],
  ['Mariana', 'Sørensen', 'Anadia'],
  ['Susana', 'Łukasz'],
  ['Ana', 'Ana'],
  ['Rui', 'Santana'],
  ['Παπαδόπουλος', 'Οδυσσέας'],
];

/** Creates agents whose names and cities are alike. */
async function createPeople(caller: Caller): Promise<void> {
  for (const [firstName, lastName, city] of people)
    await caller.agents.create({ firstName, lastName, ...(city && { address: { city } }) });
}

/** A database with these agents for the tests of a file, and lists of them. */
export function useSearch() {
  const { database, caller } = useDatabase();
  beforeAll(() => createPeople(caller()));
  return {
    database,
    caller,
    find: (query: AgentQuery) => caller().agents.list({ sort: 'createdAt', limit: 200, ...query }),
  };
}
