import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { ReplicaBehindError } from '../errors.ts';
import { RoutedKysely } from '../kysely/routed-kysely.ts';
import { createTestDatabase, type TestDatabase } from '../testing/driver-helpers.ts';
import type { LsnProbe, ReadExecutor, RunOptions } from '../types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create sequence probes`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** A probe that counts how often it has run, as a server that moves forward with every probe. */
const probe: LsnProbe = {
  sql: `select lpad(nextval('probes')::text, 4, '0') as at`,
  read: (row) => (row as { at: string }).at,
};

/** Provides a function that runs statements on one connection, with the count at 0. */
async function withRun(
  use: (run: (text: string, options?: RunOptions) => ReturnType<ReadExecutor['run']>) => unknown,
) {
  await sql`alter sequence probes restart`.execute(database.db);
  const db = connect({ connection: database.connection, pipeline: { connections: 1 } });
  if (!(db instanceof RoutedKysely)) throw new Error('connect returned another class');
  await use((text, options = {}) => db.reads.run({ sql: text, parameters: [] }, options));
  await db.destroy();
}

describe('a statement with an LSN check', () => {
  it('returns a position that includes what it has seen', () =>
    withRun(async (run) => {
      const first = await run('select 1 as one', { lsnCheck: { probe } });
      expect(first).toMatchObject({ rows: [{ one: 1 }], lsn: '0001' });
      expect(await run('select 2 as two', { lsnCheck: { probe } })).toMatchObject({ lsn: '0002' });
    }));

  it('is rejected if the server has not replayed the position, and answered once it has', () =>
    withRun(async (run) => {
      const options = { lsnCheck: { probe, minLsn: '0003' } };
      await expect(run('select 1 as one', options)).rejects.toThrow(ReplicaBehindError);
      expect(await run('select 1 as one', options)).toMatchObject({ rows: [{ one: 1 }], lsn: '0004' });
    }));

  it('needs no probe before it if the last one on the connection was far enough', () =>
    withRun(async (run) => {
      await run('select 1 as one', { lsnCheck: { probe, minLsn: '0001' } });
      expect(await run('select 1 as one', { lsnCheck: { probe, minLsn: '0002' } })).toMatchObject({
        lsn: '0003',
      });
    }));

  it('fails with its own error, and does not affect those behind it', () =>
    withRun(async (run) => {
      const [failed, other] = await Promise.allSettled([
        run('select 1/0', { lsnCheck: { probe, minLsn: '0001' } }),
        run('select 2 as two', { lsnCheck: { probe } }),
      ]);
      expect(failed).toMatchObject({ reason: { code: '22012' } });
      expect(other).toMatchObject({ value: { rows: [{ two: 2 }], lsn: '0003' } });
    }));

  it('is rejected if the probe has no position to compare with', () =>
    withRun(async (run) => {
      const foreign: LsnProbe = { sql: probe.sql, read: () => undefined };
      await expect(run('select 1', { lsnCheck: { probe: foreign, minLsn: '0001' } })).rejects.toThrow(
        ReplicaBehindError,
      );
      expect(await run('select 1 as one', { lsnCheck: { probe: foreign } })).toMatchObject({
        lsn: undefined,
      });
    }));
});
