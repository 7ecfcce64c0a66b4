import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServer, startServerRegistry } from './running-servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Starts a server of the registry. Resolves to what ends it, and the number of servers that it has counted first. */
async function enter() {
  const { promise: counted, resolve: onCount, reject: onError } = Promise.withResolvers<number>();
  const server = describeServer({ version: '0.1.0', startedAt: new Date() });
  const leave = startServerRegistry(database.db, { server, onCount, onError });
  return { counted: await counted, leave };
}

it('counts the servers that run, without one that has ended or was not seen for 15 seconds, whose row it deletes', async () => {
  const { db } = database;
  await sql`
    insert into running_server (id, host, pid, version, started_at, seen_at)
    values (gen_random_uuid(), 'gone', 1, '0.1.0', now(), now() - interval '16 s')`.execute(db);
  const first = await enter();
  expect(first.counted).toBe(1);
  const { rows } = await sql`select from running_server where host = 'gone'`.execute(db);
  expect(rows).toEqual([]);
  const second = await enter();
  expect(second.counted).toBe(2);
  await second.leave();
  const third = await enter();
  expect(third.counted).toBe(2);
  await Promise.all([first.leave(), third.leave()]);
});
