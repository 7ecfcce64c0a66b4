import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileOnce } from './compiled-query.ts';
import { withDisconnectCheck } from './connect.ts';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import {
  connected,
  createTestDatabase,
  killRunning,
  read,
  running,
  type TestDatabase,
} from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table note (text text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const notes = (db: Kysely<unknown>, text: string) =>
  read<{ n: number }>(db, `select count(*)::int as n from note where text = '${text}'`);

describe('a transaction', () => {
  it('has a connection to itself: concurrent reads do not see its changes until it commits', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    await db.transaction().execute(async (trx) => {
      await sql`insert into note values ('apart')`.execute(trx);
      expect(await notes(db, 'apart')).toEqual({ n: 0 });
      expect(await notes(trx, 'apart')).toEqual({ n: 1 });
    });
    expect(await notes(db, 'apart')).toEqual({ n: 1 });
  });

  it('is rolled back if it throws', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await sql`insert into note values ('undone')`.execute(trx);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await notes(database.db, 'undone')).toEqual({ n: 0 });
  });

  it('has the requested isolation level and access mode', async () => {
    const shown = await database.db
      .transaction()
      .setIsolationLevel('serializable')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { rows } = await sql`select current_setting('transaction_isolation') as isolation,
          current_setting('transaction_read_only') as "readOnly"`.execute(trx);
        return rows;
      });
    expect(shown).toEqual([{ isolation: 'serializable', readOnly: 'on' }]);
  });

  it('can roll back to its savepoints', async () => {
    const trx = await database.db.startTransaction().execute();
    await sql`insert into note values ('kept')`.execute(trx);
    const later = await trx.savepoint('Be "fore"').execute();
    await sql`insert into note values ('dropped')`.execute(later);
    await later.rollbackToSavepoint('Be "fore"').execute();
    await later.releaseSavepoint('Be "fore"').execute();
    await trx.commit().execute();
    expect(await notes(database.db, 'kept')).toEqual({ n: 1 });
    expect(await notes(database.db, 'dropped')).toEqual({ n: 0 });
  });

  it('fails at its commit if an error of a statement was caught', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await sql`insert into note values ('half')`.execute(trx);
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow();
    expect(await notes(database.db, 'half')).toEqual({ n: 0 });
  });

  it('fails with a ConnectionLostError if its session is terminated, idle or not, and the next one succeeds', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    const idle = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int, 5000)`.execute(database.db);
      await sql`select 1`.execute(trx);
    });
    await expect(idle).rejects.toBeInstanceOf(ConnectionLostError);
    const busy = db.transaction().execute((trx) => sql`select pg_sleep(3), 'kill busy'`.execute(trx));
    const outcome = expect(busy).rejects.toBeInstanceOf(ConnectionLostError);
    await expect.poll(() => running(database, 'kill busy')).toBe(1);
    await killRunning(database, 'kill busy');
    await outcome;
    expect(await db.transaction().execute((trx) => read(trx, 'select 1 as one'))).toEqual({ one: 1 });
  });
});

describe('a connection held with db.connection()', () => {
  it('is the same for all statements, and keeps their settings', async () => {
    await using db = connected(database);
    const path = await db.connection().execute(async (alone) => {
      await sql`select set_config('search_path', 'elsewhere', false)`.execute(alone);
      return read(alone, `select current_setting('search_path') as path`);
    });
    expect(path).toEqual({ path: 'elsewhere' });
    expect(await read(db, `select current_setting('search_path') as path`)).not.toEqual(path);
  });

  it('may begin a transaction', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    await db.connection().execute(async (alone) => {
      await alone.transaction().execute((trx) => sql`insert into note values ('alone')`.execute(trx));
      expect(await notes(alone, 'alone')).toEqual({ n: 1 });
    });
  });
});

describe('callers that wait for a dedicated connection', () => {
  it('are rejected at once if too many wait, and the others are served', async () => {
    await using db = connected(database, { pool: { max: 1, waitingMax: 1 } });
    const hold = () => db.transaction().execute((trx) => sql`select pg_sleep(0.1)`.execute(trx));
    const [first, second, third] = await Promise.allSettled([hold(), hold(), hold()]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(third).toMatchObject({ status: 'rejected', reason: expect.any(OverloadedError) });
  });

  it('are rejected after the time limit if none becomes free', async () => {
    await using db = connected(database, { pool: { max: 1 }, timeouts: { connectMs: 100 } });
    await db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await expect(db.transaction().execute(async () => undefined)).rejects.toBeInstanceOf(OverloadedError);
    });
  });

  it('get a ConnectionLostError with its cause if the database is unreachable', async () => {
    await using db = connected({ connection: { ...database.connection, host: '127.0.0.1', port: 1 } });
    const connectionRefused = { name: 'ConnectionLostError', cause: { code: 'ECONNREFUSED' } };
    await expect(db.transaction().execute(async () => undefined)).rejects.toMatchObject(connectionRefused);
    await expect(read(db, 'select 1')).rejects.toMatchObject(connectionRefused);
  });
});

it('a read of a client that disconnects is cancelled on the server, and a connection is free at once', async () => {
  await using db = connected(database, { pool: { max: 1 } });
  let isDisconnected = false;
  const sleep = db.selectNoFrom((eb) => [
    eb.fn('pg_sleep', [eb.val(60)]).as('slept'),
    eb.val('left').as('text'),
  ]);
  const left = withDisconnectCheck(db, () => isDisconnected).executeQuery(sleep.compile());
  const outcome = expect(left).rejects.toThrow('disconnected');
  await expect.poll(() => running(database, 'pg_sleep($1)')).toBe(1);
  isDisconnected = true;
  await outcome;
  await sql`insert into note values ('right')`.execute(db);
  await expect.poll(() => running(database, 'pg_sleep($1)')).toBe(0);
});

it('runs several statements in one text, as migrations do', async () => {
  await sql`create table one_of_two (a int); create table two_of_two (a int)`.execute(database.db);
  expect(await read(database.db, 'select count(*)::int as n from two_of_two')).toEqual({ n: 0 });
});

it.each([
  [`insert into note values ('counted')`],
  [`merge into note using (select) as one on text = 'counted' when matched then update set text = 'counted'`],
  [`delete from note where text = 'counted'`],
])('counts the rows that %s affects', async (statement) => {
  const { numAffectedRows } = await sql.raw(statement).execute(database.db);
  expect(numAffectedRows).toBe(1n);
});

it('runs a statement again that PostgreSQL ends because of a deadlock', async () => {
  await using db = connected(database, { pool: { max: 3 } });
  await sql`create table circle (place int primary key, turn int not null default 0)`.execute(db);
  await sql`insert into circle values (1), (2)`.execute(db);
  const trx = await db.startTransaction().execute();
  // The statement looks for the deadlock first, and so is the one that PostgreSQL ends.
  await sql`set local deadlock_timeout = '1min'`.execute(trx);
  await sql`update circle set turn = 1 where place = 2`.execute(trx);
  const both = sql`
    update circle set turn = turn + 1 from (select place from circle order by place for update) as locked
    where circle.place = locked.place`.execute(db);
  const waiting = () =>
    read<{ n: number }>(
      database.db,
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
  await expect.poll(waiting, { interval: 5 }).toEqual({ n: 1 });
  await sql`update circle set turn = 1 where place = 1`.execute(trx);
  await trx.commit().execute();
  expect((await both).numAffectedRows).toBe(2n);
  const { rows } = await sql`select turn from circle`.execute(db);
  expect(rows).toEqual([{ turn: 2 }, { turn: 2 }]);
});

it('a connection is replaced if a table has changed since it prepared its statements: reads run again, a write fails once', async () => {
  await using db = connected(database, { pool: { max: 1 }, pipeline: { connections: 1 } });
  await sql`create table growing (id int)`.execute(db);
  const insert = compileOnce(() => sql`insert into growing values (1) returning *`);
  const select = compileOnce(() => sql`select * from growing`, { isReadOnly: true });
  const selectShort = compileOnce(() => sql`select * from growing limit 1`, {
    isReadOnly: true,
    lane: 'keys',
  });
  for (const statement of [insert, select, selectShort]) await statement.execute(db, {});
  await sql`alter table growing add column name text`.execute(database.db);
  await expect(insert.execute(db, {})).rejects.toBeInstanceOf(ConnectionLostError);
  const row = { id: 1, name: null };
  expect(await insert.execute(db, {})).toEqual([row]);
  await sql`alter table growing drop column name`.execute(database.db);
  expect(await select.execute(db, {})).toEqual([{ id: 1 }, { id: 1 }]);
  expect(await selectShort.execute(db, {})).toEqual([{ id: 1 }]);
});
