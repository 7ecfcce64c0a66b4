import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleasedMigration } from './migrations/index.ts';
import { faultsOfMigration } from './testing/additive.ts';
import { catalogOf } from './testing/catalog.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';
import { migrations as withNext } from './testing/next-migrations.ts';

/** The last migration of the first release: no server of an earlier one is there to go on beside those up to it. */
const FIRST_RELEASE = '0010-primary-terms';

/**
 * What later migrations do that is not additive and is right all the same, fault by fault: what the release before has
 * stopped using, and rules that were made wider. Each with its reason.
 */
const accepted: Record<string, string[]> = {};

async function faultsOf(db: Kysely<unknown>, { up, isConcurrent = false }: ReleasedMigration) {
  const before = await catalogOf(db);
  await up(db);
  return faultsOfMigration(before, await catalogOf(db), { isConcurrent });
}

it('every migration after the first release is additive, but for what is accepted by name', async () => {
  await using empty = await createTestDatabase({ template: 'template0' });
  const db = empty.db as unknown as Kysely<unknown>;
  const found: Record<string, string[]> = {};
  // The example of a next release is one, too: it is what `npm run rolling` migrates to.
  for (const [name, migration] of Object.entries(withNext).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name <= FIRST_RELEASE) await migration.up(db);
    else found[name] = await faultsOf(db, migration);
  }
  const faulty = Object.entries(found).filter(([, faults]) => faults.length > 0);
  expect(Object.fromEntries(faulty)).toEqual(accepted);
  expect(Object.keys(found)).toContain('9999-example-index');
});

describe('the check of migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** The faults of statements, which are undone afterwards. */
  async function tried(statements: string, isConcurrent = false): Promise<string[]> {
    const trx = await database.db.startTransaction().execute();
    try {
      const up = async (db: Kysely<unknown>) => void (await sql.raw(statements).execute(db));
      return await faultsOf(trx as unknown as Kysely<unknown>, { up, isConcurrent });
    } finally {
      await trx.rollback().execute();
    }
  }

  it.each([
    ['a column that may be empty', 'alter table office add slogan text'],
    ['a required column with a default', "alter table office add slogan text not null default ''"],
    [
      'a column with rules of its own',
      'alter table office add slogan text constraint office_slogan_check check (char_length(slogan) < 9), ' +
        'add parent_id uuid constraint office_parent_id_fkey references office (id)',
    ],
    ['a rule that binds less', 'alter table office alter column name drop not null'],
    [
      'a table, with indexes and references',
      'create table team (id uuid primary key, office_id uuid not null references office (id), name text unique); ' +
        'create index team_office_id_idx on team (office_id)',
    ],
    [
      'a trigger',
      'create function noted() returns trigger language plpgsql as $$ begin return new; end $$; create trigger noted before insert on office for each row execute function noted()',
    ],
  ])('lets %s pass', async (_, statements) => {
    expect(await tried(statements)).toEqual([]);
  });

  it('lets an index pass that is built outside a transaction', async () => {
    expect(await tried('create index office_fax_idx on office (fax)', true)).toEqual([]);
  });

  it.each([
    ['alter table office drop column fax', ['column office.fax is gone']],
    ['alter table office rename fax to telefax', ['column office.fax is gone']],
    ['drop table tombstone', ['table tombstone is gone']],
    ['alter table tombstone rename to grave', ['table tombstone is gone']],
    ['alter table office alter fax type varchar(40)', ['and is character varying(40)']],
    ['alter table office alter fax set not null', ['column office.fax has become required']],
    [
      'alter table webhook_delivery alter attempts drop default',
      ['column webhook_delivery.attempts has lost its default'],
    ],
    [
      'delete from event_log; alter table event_log add slogan text not null',
      ['column event_log.slogan is new, required and without a default'],
    ],
    [
      'alter table office drop constraint office_version_check',
      ['constraint office.office_version_check is gone'],
    ],
    [
      'alter table office add constraint short check (char_length(fax) < 9) not valid',
      ['constraint office.short is new and binds what is written already'],
    ],
    [
      'alter table office add constraint one_fax unique (fax)',
      ['constraint office.one_fax is new and binds what is written already'],
    ],
    [
      'create unique index one_fax on office (fax)',
      ['unique index one_fax is new and binds what is written already'],
    ],
    ['drop index webhook_created_at_idx', ['index webhook_created_at_idx is gone']],
    [
      'create index office_fax_idx on office (fax)',
      ['index office_fax_idx is built while nobody can write: build it concurrently'],
    ],
    [
      'alter table office add seen timestamptz(3) not null default clock_timestamp()',
      ['table office is rewritten while nobody can use it'],
    ],
    [
      'alter table event alter version add generated always as identity',
      ['column event.version has become generated'],
    ],
    ["alter domain office_fax add check (value <> '')", ['domain office_fax is another']],
    ['drop function give_event_positions(int)', ['function give_event_positions(count_max integer) is gone']],
    [
      "alter table webhook drop constraint webhook_status_check, add constraint webhook_status_check check (status = 'active')",
      ['constraint webhook.webhook_status_check is another'],
    ],
  ])('refuses %s', async (statements, faults) => {
    const found = await tried(statements);
    for (const fault of faults) expect(found).toContainEqual(expect.stringContaining(fault));
  });
});
