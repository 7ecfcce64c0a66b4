import { resourceNames } from '@roster/api';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createWorkers } from '../../src/workers/index.ts';
import { until } from '../support/webhooks.ts';

/** The workers of a server whose statements have half a second. */
function workersOn({ connection, db }: TestDatabase, failures: unknown[]) {
  const workers = createWorkers({
    connection,
    db,
    database: { timeouts: { statementMs: 500, lockMs: 20_000 } },
    webhooks: { isPrivateAllowed: true },
    rateLimit: 0,
    retentionDays: 30,
    defaultCountry: undefined,
    onFailure: (error) => failures.push(error),
  });
  workers.start();
  return workers;
}

const waiting = async ({ db }: TestDatabase) =>
  (
    await sql`
    select from pg_locks where not granted and relation = 'office'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  ).rows.length;

/** Compares the records, which reads their tables too, so that of the workers that start then only the counting does. */
async function compareBefore(database: TestDatabase): Promise<void> {
  const workers = workersOn(database, []);
  await until(async () => {
    const compared = await sql`select from comparison where is_complete`.execute(database.db);
    const counted = await sql`select from directory_stats`.execute(database.db);
    return compared.rows.length === resourceNames.length && counted.rows.length === 1;
  }, 'the comparison').finally(() => workers[Symbol.asyncDispose]());
  await sql`delete from directory_stats`.execute(database.db);
  await sql`delete from periodic_job`.execute(database.db);
}

it('counting the directory may take longer than other statements of the workers', async () => {
  await using database = await createTestDatabase();
  await compareBefore(database);
  const failures: unknown[] = [];
  await using _ = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const workers = workersOn(database, failures);
    await expect.poll(() => waiting(database)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return workers;
  });
  const stored = async () => (await sql`select from directory_stats`.execute(database.db)).rows.length;
  await expect.poll(stored).toBe(1);
  expect(failures).toEqual([]);
});

it('workers that stop cancel a count in progress', async () => {
  await using database = await createTestDatabase();
  await compareBefore(database);
  const failures: unknown[] = [];
  await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const workers = workersOn(database, failures);
    await expect.poll(() => waiting(database)).toBe(1);
    await workers[Symbol.asyncDispose]();
    await expect.poll(() => waiting(database)).toBe(0);
  });
  expect(failures).toEqual([]);
});
