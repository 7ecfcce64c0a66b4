import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { BehindError } from '../errors.ts';
import type { Reads, RunOptions } from '../pipeline/pool.ts';
import { PartedKysely } from '../routed-kysely.ts';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import type { Mark } from './lsn-check.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create sequence mark`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** A database that comes one step further with every mark: its value counts them. */
const mark: Mark = {
  sql: `select lpad(nextval('mark')::text, 4, '0') as at`,
  read: (row) => (row as { at: string }).at,
};

/** Runs with marks on one connection of its own, from the first step on. */
async function marking(
  use: (run: (text: string, options?: RunOptions) => ReturnType<Reads['run']>) => unknown,
) {
  await sql`alter sequence mark restart`.execute(database.db);
  const db = connect({ connection: database.connection, pipelines: 1 });
  if (!(db instanceof PartedKysely)) throw new Error('connect answers another kind');
  await use((text, options = {}) => db.reads.run({ sql: text, parameters: [] }, options));
  await db.destroy();
}

describe('a marked statement', () => {
  it('says how far the database had come at its end', () =>
    marking(async (run) => {
      const first = await run('select 1 as one', { marked: { mark } });
      expect(first).toMatchObject({ rows: [{ one: 1 }], reached: '0001' });
      expect(await run('select 2 as two', { marked: { mark } })).toMatchObject({ reached: '0002' });
    }));

  it('is refused where the database has not come so far, and answered once it has', () =>
    marking(async (run) => {
      const options = { marked: { mark, after: '0003' } };
      await expect(run('select 1 as one', options)).rejects.toThrow(BehindError);
      expect(await run('select 1 as one', options)).toMatchObject({ rows: [{ one: 1 }], reached: '0004' });
    }));

  it('needs no mark before it where an earlier one on the connection says enough', () =>
    marking(async (run) => {
      await run('select 1 as one', { marked: { mark, after: '0001' } });
      expect(await run('select 1 as one', { marked: { mark, after: '0002' } })).toMatchObject({
        reached: '0003',
      });
    }));

  it('fails with its own error, and harms none behind it', () =>
    marking(async (run) => {
      const [failed, other] = await Promise.allSettled([
        run('select 1/0', { marked: { mark, after: '0001' } }),
        run('select 2 as two', { marked: { mark } }),
      ]);
      expect(failed).toMatchObject({ reason: { code: '22012' } });
      expect(other).toMatchObject({ value: { rows: [{ two: 2 }], reached: '0003' } });
    }));

  it('counts for nothing where the mark says that the database does not', () =>
    marking(async (run) => {
      const foreign: Mark = { sql: mark.sql, read: () => undefined };
      await expect(run('select 1', { marked: { mark: foreign, after: '0001' } })).rejects.toThrow(
        BehindError,
      );
      expect(await run('select 1 as one', { marked: { mark: foreign } })).toMatchObject({
        reached: undefined,
      });
    }));
});
