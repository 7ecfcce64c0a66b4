import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { ReplicaBehindError } from '../errors.ts';
import { RoutedKysely } from '../routed-kysely.ts';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import type { LsnProbe, ReadExecutor, RunOptions } from '../types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create sequence mark`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** A database that comes one step further with every mark: its value counts them. */
const probe: LsnProbe = {
  sql: `select lpad(nextval('mark')::text, 4, '0') as at`,
  read: (row) => (row as { at: string }).at,
};

/** Runs with marks on one connection of its own, from the first step on. */
async function marking(
  use: (run: (text: string, options?: RunOptions) => ReturnType<ReadExecutor['run']>) => unknown,
) {
  await sql`alter sequence mark restart`.execute(database.db);
  const db = connect({ connection: database.connection, pipelines: 1 });
  if (!(db instanceof RoutedKysely)) throw new Error('connect answers another kind');
  await use((text, options = {}) => db.reads.run({ sql: text, parameters: [] }, options));
  await db.destroy();
}

describe('a marked statement', () => {
  it('says how far the database had come at its end', () =>
    marking(async (run) => {
      const first = await run('select 1 as one', { lsnCheck: { probe } });
      expect(first).toMatchObject({ rows: [{ one: 1 }], lsn: '0001' });
      expect(await run('select 2 as two', { lsnCheck: { probe } })).toMatchObject({ lsn: '0002' });
    }));

  it('is refused where the database has not come so far, and answered once it has', () =>
    marking(async (run) => {
      const options = { lsnCheck: { probe, minLsn: '0003' } };
      await expect(run('select 1 as one', options)).rejects.toThrow(ReplicaBehindError);
      expect(await run('select 1 as one', options)).toMatchObject({ rows: [{ one: 1 }], lsn: '0004' });
    }));

  it('needs no mark before it where an earlier one on the connection says enough', () =>
    marking(async (run) => {
      await run('select 1 as one', { lsnCheck: { probe, minLsn: '0001' } });
      expect(await run('select 1 as one', { lsnCheck: { probe, minLsn: '0002' } })).toMatchObject({
        lsn: '0003',
      });
    }));

  it('fails with its own error, and harms none behind it', () =>
    marking(async (run) => {
      const [failed, other] = await Promise.allSettled([
        run('select 1/0', { lsnCheck: { probe, minLsn: '0001' } }),
        run('select 2 as two', { lsnCheck: { probe } }),
      ]);
      expect(failed).toMatchObject({ reason: { code: '22012' } });
      expect(other).toMatchObject({ value: { rows: [{ two: 2 }], lsn: '0003' } });
    }));

  it('counts for nothing where the mark says that the database does not', () =>
    marking(async (run) => {
      const foreign: LsnProbe = { sql: probe.sql, read: () => undefined };
      await expect(run('select 1', { lsnCheck: { probe: foreign, minLsn: '0001' } })).rejects.toThrow(
        ReplicaBehindError,
      );
      expect(await run('select 1 as one', { lsnCheck: { probe: foreign } })).toMatchObject({
        lsn: undefined,
      });
    }));
});
