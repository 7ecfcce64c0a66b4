import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASELINE } from './migrate.ts';
import type { ReleasedMigration } from './migrations/released-migration.ts';
import { readCatalog } from './testing/catalog.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';
import { migrationViolations } from './testing/migration-rules.ts';
import { migrations as withNext } from './testing/next-migrations.ts';

/**
 * Violations of later migrations that are accepted, each with its reason: the last step of replacing a column, or a check that becomes
 * wider.
 */
const accepted: Record<string, string[]> = {};

async function violationsOf<Tables>(db: Kysely<Tables>, { up, isConcurrent = false }: ReleasedMigration) {
  const before = await readCatalog(db);
  await up(db);
  return migrationViolations(before, await readCatalog(db), { isConcurrent });
}

it('every migration after the baseline is additive, except for accepted violations', async () => {
  await using empty = await createTestDatabase({ template: 'template0' });
  const { db } = empty;
  const found: Record<string, string[]> = {};
  // Includes the example migrations of the next release, which `npm run chaos` uses.
  for (const [name, migration] of Object.entries(withNext).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name === BASELINE) await migration.up(db);
    else found[name] = (await violationsOf(db, migration)).sort();
  }
  const violating = Object.entries(found).filter(([, violations]) => violations.length > 0);
  expect(Object.fromEntries(violating)).toEqual(accepted);
  expect(Object.keys(found)).toContain('9999-example-index');
});

describe('migrationViolations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** The violations of statements, which are rolled back. */
  async function violationsOfStatements(statements: string, isConcurrent = false): Promise<string[]> {
    const trx = await database.db.startTransaction().execute();
    try {
      const up = async (db: Kysely<unknown>) => void (await sql.raw(statements).execute(db));
      return await violationsOf(trx, { up, isConcurrent });
    } finally {
      await trx.rollback().execute();
    }
  }

  it.each([
    ['a nullable column', 'alter table office add slogan text'],
    ['a required column with a default', "alter table office add slogan text not null default ''"],
    [
      'a column with constraints of its own',
      'alter table office add slogan text constraint office_slogan_check check (char_length(slogan) < 9), ' +
        'add parent_id uuid constraint office_parent_id_fkey references office (id)',
    ],
    ['a rule that becomes less strict', 'alter table office alter column name drop not null'],
    [
      'a table, with indexes and references',
      'create table desk (id uuid primary key, office_id uuid not null references office (id), name text unique); ' +
        'create index desk_office_id_idx on desk (office_id)',
    ],
    [
      'a trigger',
      'create function noted() returns trigger language plpgsql as $$ begin return new; end $$; create trigger noted before insert on office for each row execute function noted()',
    ],
  ])('allows %s', async (_, statements) => {
    expect(await violationsOfStatements(statements)).toEqual([]);
  });

  it('allows an index that is built outside a transaction', async () => {
    expect(await violationsOfStatements('create index office_fax_idx on office (fax)', true)).toEqual([]);
  });

  it.each([
    ['alter table office drop column fax', ['column office.fax is removed']],
    ['alter table office rename fax to telefax', ['column office.fax is removed']],
    ['drop table tombstone', ['table tombstone is removed']],
    ['alter table tombstone rename to grave', ['table tombstone is removed']],
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
      ['constraint office.office_version_check is removed'],
    ],
    [
      'alter table office add constraint short check (char_length(fax) < 9) not valid',
      ['constraint office.short is new and applies to existing columns'],
    ],
    [
      'alter table office add constraint one_fax unique (fax)',
      ['constraint office.one_fax is new and applies to existing columns'],
    ],
    [
      'create unique index one_fax on office (fax)',
      ['unique index one_fax is new and applies to existing columns'],
    ],
    ['drop index webhook_created_at_idx', ['index webhook_created_at_idx is removed']],
    [
      'create index office_fax_idx on office (fax)',
      ['index office_fax_idx is built under a lock that blocks writes: build it concurrently'],
    ],
    [
      'alter table office add seen timestamptz(3) not null default clock_timestamp()',
      ['table office is rewritten under an exclusive lock'],
    ],
    [
      'alter table event alter version add generated always as identity',
      ['column event.version has become generated'],
    ],
    ["alter domain office_fax add check (value <> '')", ['domain office_fax is changed']],
    [
      'drop function give_event_positions(int)',
      ['function give_event_positions(count_max integer) is removed'],
    ],
    [
      "alter table webhook drop constraint webhook_status_check, add constraint webhook_status_check check (status = 'active')",
      ['constraint webhook.webhook_status_check is changed'],
    ],
  ])('reports %s', async (statements, violations) => {
    const found = await violationsOfStatements(statements);
    for (const violation of violations) {
      expect(found).toContainEqual(expect.stringContaining(violation));
    }
  });
});
