import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connect } from '../src/connect.ts';
import { migrate, migrationState } from '../src/migrate.ts';
import { buildIndex } from '../src/migrations/concurrent-index.ts';
import { migrations } from '../src/migrations/index.ts';
import { records } from '../src/repeatable/records.ts';
import { createTestDatabase } from '../src/testing/index.ts';

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

describe('the migrations of the scopes of keys', () => {
  it('give keys that have all other scopes those of teams, and no other key', async () => {
    await using empty = await createEmptyDatabase();
    const before = Object.entries(migrations).filter(([name]) => name < '0039');
    await migrate(empty.db, { migrations: Object.fromEntries(before) });
    const some = ['agents:read', 'agents:write', 'keys:manage'];
    const all = [
      ...['offices:read', 'offices:write', 'agents:read', 'agents:write', 'events:read', 'webhooks:manage'],
      ...['keys:manage', 'people:manage', 'status:read'],
    ];
    for (const [name, scopes] of Object.entries({ all, some }))
      await sql`
        insert into api_key (id, name, scopes, created_at, updated_at)
        values (gen_random_uuid(), ${name}, ${scopes}, now(), now())`.execute(empty.db);
    await migrate(empty.db);
    const { rows } = await sql`select name, scopes from api_key order by name`.execute(empty.db);
    expect(rows).toEqual([
      { name: 'all', scopes: [...all.slice(0, -1), 'teams:read', 'teams:write'] },
      { name: 'some', scopes: some },
    ]);
  });

  it('take status:read from every key, and revoke a key that has no other scope', async () => {
    await using empty = await createEmptyDatabase();
    const before = Object.entries(migrations).filter(([name]) => name < '0175');
    await migrate(empty.db, { migrations: Object.fromEntries(before) });
    for (const [name, scopes] of Object.entries({
      both: ['agents:read', 'status:read'],
      only: ['status:read'],
    }))
      await sql`
        insert into api_key (id, name, scopes, created_at, updated_at)
        values (gen_random_uuid(), ${name}, ${scopes}, now(), now())`.execute(empty.db);
    await migrate(empty.db);
    const { rows } = await sql`
      select name, scopes @> array['status:read'] as "isLeft", revoked_at is not null as "isRevoked"
      from api_key order by name`.execute(empty.db);
    expect(rows).toEqual([
      { name: 'both', isLeft: false, isRevoked: false },
      { name: 'only', isLeft: false, isRevoked: true },
    ]);
  });
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
