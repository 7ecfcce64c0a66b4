import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { migrate, migrationState } from '../migrate.ts';
import type { Database } from '../tables.ts';
import { createTestDatabase } from '../testing/index.ts';
import { records } from './records.ts';
import type { RepeatableMigrations } from './repeatable-migration.ts';

const newer = records.office.version + 1;

/** Another release, whose JSON of offices has one field, in this schema version. */
function releaseWith(field: string, version = newer): RepeatableMigrations {
  const statements = [
    `create or replace function office_record_${version}(shown office) returns json language plpgsql stable as $$
     begin return json_build_object('${field}', shown.name); end $$`,
    `create or replace function office_keep() returns trigger language plpgsql as $$
     begin
       new.record := office_record_${version}(new);
       new.record_shape := ${version};
       return new;
     end $$`,
  ];
  return { ...records, office: { version, statements } };
}

/** Writes an office and returns the JSON that the trigger materialises. */
async function writtenRecord(db: Kysely<Database>): Promise<unknown> {
  const { rows } = await sql<{ record: object; version: number }>`
    insert into office (id, name, created_at, updated_at, status_changed_at)
    values (gen_random_uuid(), 'Casa', now(), now(), now())
    returning record, record_shape as version`.execute(db);
  return rows[0];
}

async function backfillIndexes(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where indexname like 'office\\_stale%' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

it('runs once when ten servers of a release with another JSON start at the same time', async () => {
  await using database = await createTestDatabase();
  const repeatable = releaseWith('title');
  expect((await migrationState(database.db, undefined, repeatable)).pending).toEqual([
    `office-record-${newer}`,
  ]);
  const servers = Array.from({ length: 10 }, () =>
    connect({ connection: database.connection, pool: { max: 2 } }),
  );
  const ran = await Promise.all(servers.map((db) => migrate(db, { repeatable })));
  await Promise.all(servers.map((db) => db.destroy()));
  expect(ran.flat()).toEqual([`office-record-${newer}`]);
  expect((await migrationState(database.db, undefined, repeatable)).pending).toEqual([]);
  expect(await writtenRecord(database.db)).toEqual({ record: { title: 'Casa' }, version: newer });
});

it('runs again if the statements of a schema version are others', async () => {
  await using database = await createTestDatabase();
  await migrate(database.db, { repeatable: releaseWith('title') });
  expect(await migrate(database.db, { repeatable: releaseWith('title') })).toEqual([]);
  expect(await migrate(database.db, { repeatable: releaseWith('motto') })).toEqual([
    `office-record-${newer}`,
  ]);
  expect(await writtenRecord(database.db)).toMatchObject({ record: { motto: 'Casa' } });
});

it('of an older release does not replace that of a newer one, and the older release goes on', async () => {
  await using database = await createTestDatabase();
  await migrate(database.db, { repeatable: releaseWith('title') });
  // A server of this release restarts beside those of the newer one.
  expect(await migrate(database.db)).toEqual([]);
  expect((await migrationState(database.db)).pending).toEqual([]);
  await writtenRecord(database.db);
  const { rows } = await sql<{ record: object }>`
    select ${sql.id(`office_record_${records.office.version}`)}(office) as record from office`.execute(
    database.db,
  );
  expect(rows).toEqual([{ record: expect.objectContaining({ name: 'Casa', version: 1 }) }]);
});

it('builds the index of the rows with another schema version, and keeps that of the previous version alone', async () => {
  await using database = await createTestDatabase();
  const [first] = await backfillIndexes(database.db);
  await migrate(database.db, { repeatable: releaseWith('title') });
  expect(await backfillIndexes(database.db)).toEqual([`office_stale_${newer}_idx`, first].sort());
  await migrate(database.db, { repeatable: releaseWith('title', newer + 1) });
  expect(await backfillIndexes(database.db)).toEqual([
    `office_stale_${newer}_idx`,
    `office_stale_${newer + 1}_idx`,
  ]);
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index
    where indexrelid = ${`office_stale_${newer + 1}_idx`}::regclass`.execute(database.db);
  expect(rows).toEqual([{ isValid: true }]);
});

it('is rolled back if a statement fails, and is pending', async () => {
  await using database = await createTestDatabase();
  const { office, ...others } = releaseWith('title');
  const repeatable = { ...others, office: { ...office, statements: [...office.statements, 'select 1/0'] } };
  await expect(migrate(database.db, { repeatable })).rejects.toMatchObject({ code: '22012' });
  expect((await migrationState(database.db, undefined, repeatable)).pending).toEqual([
    `office-record-${newer}`,
  ]);
  expect(await writtenRecord(database.db)).toMatchObject({ version: records.office.version });
});
