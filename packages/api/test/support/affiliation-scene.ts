import { sql } from 'kysely';
import { useDatabase } from './use-database.ts';

export const ana = { firstName: 'Ana', lastName: 'Reis' };

export const affiliatedWith = (...offices: string[]) => ({
  affiliations: offices.map((officeId) => ({ officeId })),
});

export const officesOf = ({ affiliations }: { affiliations: { officeId: string }[] }) =>
  affiliations.map(({ officeId }) => officeId);

/** A database for the tests of a file, and what they do with offices and affiliations in it. */
export function useAffiliations() {
  const { database, caller } = useDatabase({ requiresEvents: true });
  const newOffice = async () => (await caller().offices.create({ name: 'Casa' })).id;
  return {
    database,
    caller,
    newOffice,
    newOffices: (count: number) => Promise.all(Array.from({ length: count }, newOffice)),
    /** The offices of the derived rows of an agent. */
    async derivedOf(agentId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select affiliated_office_id as id from agent_affiliation where agent_id = ${agentId}`.execute(
        database().db,
      );
      return rows.map(({ id }) => id).sort();
    },
  };
}
