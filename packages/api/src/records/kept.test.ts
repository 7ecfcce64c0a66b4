import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents } from '../agents/queries.ts';
import { offices } from '../offices/queries.ts';
import { appRouter } from '../router.ts';
import { contextOf } from '../testing/context.ts';
import { renewRecords } from './renewal.ts';

let database: TestDatabase;
let caller: ReturnType<typeof appRouter.createCaller>;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = appRouter.createCaller(contextOf(database.db));
});
afterAll(() => database[Symbol.asyncDispose]());

/** Lets rows be as another release leaves them: with a record of its fields under its number, or with none. */
async function leaveAs(shape: number | null): Promise<void> {
  const record = shape === null ? null : '{"of":"another release"}';
  const { db } = database;
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const { table } of [offices, agents]) {
      await sql`update ${sql.table(table)} set record = ${record}::json, record_shape = ${shape}`.execute(
        trx,
      );
    }
  });
}

describe('the record that a row keeps', () => {
  it.each([offices, agents])(
    'is made by the expression that makes it where none is kept: $table',
    async (noun) => {
      const { table, record } = noun;
      const [, made] = / else (.*) end$/.exec(record.compile(database.db).sql) ?? [];
      const { rows } = await sql<{ source: string }>`
      select prosrc as source from pg_proc where proname = ${`${table}_keep`}`.execute(database.db);
      // Where it differs, the fields were changed: they need a migration with a new trigger and a new number.
      expect(rows[0]?.source).toContain(`new.record := ${made?.replaceAll(`"${table}".`, 'new.')};`);
    },
  );
});

describe.each([null, 2])('a row that keeps a record of the shape %s', (shape) => {
  it('is read, listed and changed as it would be with its own, and has it again after a renewal', async () => {
    const office = await caller.offices.create({ name: 'Casa', address: { city: 'Faro' } });
    const agent = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId: office.id });
    await leaveAs(shape);
    const before = await caller.agents.list({ ids: [agent.id] });
    expect(before.items).toEqual([agent]);
    expect(await caller.agents.get({ id: agent.id })).toEqual(agent);
    expect(await caller.offices.get({ id: office.id })).toEqual(office);
    const changed = await caller.offices.update({ id: office.id, name: 'Lar' });
    expect(changed).toEqual({ ...office, name: 'Lar', version: 2, updatedAt: changed.updatedAt });
    expect(await renewRecords(database.db)).toBeGreaterThan(0);
    expect(await renewRecords(database.db)).toBe(0);
    const { rows } = await sql`select record, record_shape from agent where id = ${agent.id}`.execute(
      database.db,
    );
    expect(rows).toEqual([{ record: agent, record_shape: 1 }]);
  });
});
