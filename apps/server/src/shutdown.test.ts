import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startServiceProcess } from './testing/service-process.ts';

/** Resolves when some connection waits for a lock: then the request has reached its statement. */
async function untilSomebodyWaits(database: Awaited<ReturnType<typeof createTestDatabase>>): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    if (rows.length > 0) return;
  }
}

it('finishes what runs when it is told to stop, takes nothing new, and exits with 0', async () => {
  await using database = await createTestDatabase();
  await using service = await startServiceProcess({ databaseUrl: database.url });
  const { running, ended } = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const begun = service.request('POST', '/offices', { name: 'Porto' });
    await untilSomebodyWaits(database);
    const end = service.end('SIGTERM');
    await expect.poll(() => service.output()).toContain('SIGTERM: finishing what runs');
    await expect
      .poll(() =>
        fetch(`${service.url}/healthz`).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused');
    return { running: begun, ended: end };
  });
  expect((await running).status).toBe(201);
  expect(await ended).toBe(0);
  const { rows } = await sql<{ name: string }>`select name from office`.execute(database.db);
  expect(rows).toEqual([{ name: 'Porto' }]);
});
