import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { migrate, migrationState } from './migrate.ts';
import { BaselineChangedError } from './migrations/baseline-changed.ts';
import { buildIndex } from './migrations/concurrent-index.ts';
import { migrations } from './migrations/index.ts';
import { records } from './repeatable/records.ts';
import { createTestDatabase } from './testing/index.ts';

/** The names of all migrations, the repeatable ones at the end. */
const names = [
  ...Object.keys(migrations),
  ...Object.entries(records).map(([table, { version }]) => `${table}-record-${version}`),
];
const createEmptyDatabase = () => createTestDatabase({ template: 'template0' });

describe('the migrations', () => {
  it('run once when ten servers start at the same time', async () => {
    await using empty = await createEmptyDatabase();
    const servers = Array.from({ length: 10 }, () =>
      connect({ connection: empty.connection, pool: { max: 2 } }),
    );
    const ran = await Promise.all(servers.map((db) => migrate(db)));
    await Promise.all(servers.map((db) => db.destroy()));
    expect(ran.flat().sort()).toEqual(names.toSorted());
  });

  it('run with a single connection of the pool', async () => {
    await using empty = await createEmptyDatabase();
    await using db = connect({ connection: empty.connection, pool: { max: 1 } });
    expect(await migrate(db)).toEqual(names);
  });

  it('are all pending before, and none after they ran', async () => {
    await using empty = await createEmptyDatabase();
    expect((await migrationState(empty.db)).pending).toEqual(names);
    expect(await migrate(empty.db)).toEqual(names);
    expect((await migrationState(empty.db)).pending).toEqual([]);
    expect(await migrate(empty.db)).toEqual([]);
  });

  it('are rolled back if one fails, with the error of PostgreSQL', async () => {
    await using empty = await createEmptyDatabase();
    await sql`create table agent (mine int)`.execute(empty.db);
    await expect(migrate(empty.db)).rejects.toMatchObject({ code: '42P07' });
    expect((await migrationState(empty.db)).pending).toEqual(names);
    const { rows } = await sql`select 1 from information_schema.tables where table_name = 'office'`.execute(
      empty.db,
    );
    expect(rows).toEqual([]);
    await sql`drop table agent`.execute(empty.db);
    expect(await migrate(empty.db)).toEqual(names);
  });
});

it('a database from before 0.1.0 is left as it is, with an error that says how to carry its data over', async () => {
  await using old = await createEmptyDatabase();
  await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(old.db);
  await sql`insert into kysely_migration values ('0001-offices-and-agents', ''), ('0002-keys', '')`.execute(
    old.db,
  );
  await expect(migrate(old.db)).rejects.toThrow(/is from before Roster 0\.1\.0.*export.*import/);
  await expect(migrationState(old.db)).rejects.toThrow(BaselineChangedError);
  const { rows } =
    await sql`select table_name from information_schema.tables where table_schema = 'public'`.execute(old.db);
  expect(rows).toEqual([{ table_name: 'kysely_migration' }]);
});

describe('a migration while servers run', () => {
  const next = {
    up: async (db: Kysely<never>) => void (await sql`alter table office add slogan text`.execute(db)),
  };
  const newer = { ...migrations, '9998-slogans': next };
  const index = {
    isConcurrent: true,
    up: (db: Kysely<unknown>) => buildIndex(db, 'office_fax_idx', 'office (fax)'),
  };
  const more = { ...newer, '9999-faxes': index };

  it('of a newer release does not prevent an older server from starting', async () => {
    await using database = await createTestDatabase();
    expect(await migrate(database.db, { migrations: newer })).toEqual(['9998-slogans']);
    expect(await migrate(database.db)).toEqual([]);
    expect(await migrationState(database.db)).toEqual({ pending: [], unknown: ['9998-slogans'] });
  });

  it('runs although the database has one that this release does not know', async () => {
    await using database = await createTestDatabase();
    await migrate(database.db, { migrations: newer });
    const other = { ...migrations, '9999-table': { up: async () => undefined } };
    expect(await migrate(database.db, { migrations: other })).toEqual(['9999-table']);
  });

  it('releases the lock of a table that is in use, so that requests do not queue behind it, and retries', async () => {
    await using database = await createTestDatabase();
    const { promise: waited, resolve: onWait } = Promise.withResolvers<string>();
    const { migrating } = await database.db.transaction().execute(async (trx) => {
      await sql`lock table office in row exclusive mode`.execute(trx);
      const begun = migrate(database.db, { migrations: newer, lockTimeoutMs: 20, onWait });
      expect(await waited).toContain('in use');
      // It blocks no other session during its pause.
      await sql`select from office`.execute(database.db);
      return { migrating: begun };
    });
    expect(await migrating).toEqual(['9998-slogans']);
  });

  it('fails if it acquires no lock within its timeout, and is rolled back', async () => {
    await using database = await createTestDatabase();
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table office in row exclusive mode`.execute(trx);
      const options = { migrations: newer, lockTimeoutMs: 5, timeoutMs: 0 };
      await expect(migrate(database.db, options)).rejects.toMatchObject({ code: '55P03' });
    });
    expect((await migrationState(database.db, newer)).pending).toEqual(['9998-slogans']);
  });

  it('builds an index concurrently while other servers wait to migrate', async () => {
    await using database = await createTestDatabase();
    const servers = Array.from({ length: 3 }, () =>
      connect({ connection: database.connection, pool: { max: 2 } }),
    );
    const ran = await Promise.all(servers.map((db) => migrate(db, { migrations: more })));
    await Promise.all(servers.map((db) => db.destroy()));
    expect(ran.flat().sort()).toEqual(['9998-slogans', '9999-faxes']);
  });

  it('builds an index in a transaction too, as in a restore, and after a build that failed', async () => {
    await using database = await createTestDatabase();
    await sql`create index office_fax_idx on office (phone)`.execute(database.db);
    const ran = await database.db.transaction().execute((trx) => migrate(trx, { migrations: more }));
    expect(ran).toEqual(['9998-slogans', '9999-faxes']);
    const { rows } = await sql`
      select pg_get_indexdef('office_fax_idx'::regclass) like '%(fax)' as built`.execute(database.db);
    expect(rows).toEqual([{ built: true }]);
  });
});
