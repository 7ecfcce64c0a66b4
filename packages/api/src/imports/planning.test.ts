import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { newSystem } from '../../test/support/systems.ts';

it('an import finds its records by indexes in a table that was empty when it was last analysed', async () => {
  await using database = await createTestDatabase();
  await sql`vacuum analyze agent`.execute(database.db);
  const { of } = newSystem();
  const agentOf = (_: unknown, index: number) => ({
    firstName: 'Ana',
    lastName: 'Reis',
    email: `ana.${index}@roster.example`,
    source: of(String(index)),
  });
  const agents = Array.from({ length: 600 }, agentOf);
  const { rows } = await database.db.transaction().execute(async (trx) => {
    const { imports } = callerIn(trx);
    await imports.agents({ records: agents.slice(0, 300), mode: 'upsert' });
    await imports.agents({ records: agents.slice(300), mode: 'upsert' });
    return sql<{ rowsRead: number }>`
      select seq_tup_read::int as "rowsRead" from pg_stat_xact_user_tables where relname = 'agent'`.execute(
      trx,
    );
  });
  expect(rows).toEqual([{ rowsRead: 0 }]);
});
