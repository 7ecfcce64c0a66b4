import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleasedMigration } from '../src/migrations/released-migration.ts';
import { readCatalog } from '../src/testing/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { migrationViolations } from '../src/testing/migration-rules.ts';
import { migrations as withNext } from '../src/testing/next-migrations.ts';

/** The last migration of the first release. Before it, no servers of an earlier release ran. */
const FIRST_RELEASE = '0010-primary-terms';

/**
 * Violations of later migrations that are accepted, each with its reason: what the previous release no longer used, and
 * rules that became less strict.
 */
const accepted: Record<string, string[]> = {
  // The new check allows more types than the one before.
  '0015-event-details': ['constraint event.event_type_check is changed'],
  '0024-people': ['constraint admin_event.admin_event_type_check is changed'],
  '0037-merges': ['constraint event.event_type_check is changed'],
  '0033-person-links': ['constraint admin_event.admin_event_type_check is changed'],
  '0036-passkeys': [
    'constraint admin_event.admin_event_type_check is changed',
    'constraint session.session_method_check is changed',
    'constraint sign_in.sign_in_kind_check is changed',
  ],
  // The new checks allow one resource more.
  '0038-teams': [
    'constraint event.event_type_check is changed',
    'constraint job.job_resource_check is changed',
    'constraint saved_view.saved_view_resource_check is changed',
    'constraint scheduled_change.scheduled_change_resource_check is changed',
    'constraint tombstone.tombstone_collection_check is changed',
  ],
  // No session without the time of its sign-in and its passkey, and no claim that an index cannot take: before, each was a hole.
  '0110-links-of-sessions': [
    'column session.signed_in_at is new, required and without a default',
    'constraint person.person_subject_check is new and applies to existing columns',
    'constraint session.session_opened_by_check is new and applies to existing columns',
    'constraint session.session_passkey_id_fkey is new and applies to existing columns',
    'constraint session.session_provider_session_check is new and applies to existing columns',
    'constraint session.session_signed_in_at_check is new and applies to existing columns',
    'constraint sign_in.sign_in_link_check is new and applies to existing columns',
    'index sign_in_link_idx is removed',
  ],
  // A server of the release before writes no number of records that were changed in part, and the default keeps the rule.
  '0125-partly-undone': ['constraint job.job_partly_changed_check is new and applies to existing columns'],
  // Another index finds what the filter of this release asks for. The filter of the release before reads the table without them.
  '0130-license-numbers': ['index agent_licenses_idx is removed', 'index office_licenses_idx is removed'],
  // The pieces of a file belong to its upload: the table is renamed, which no release used.
  '0105-uploads': [
    'column import_chunk.import_id is removed',
    'column import_chunk.number is removed',
    'column import_chunk.start is removed',
    'column import_chunk.text is removed',
    'constraint import_chunk.import_chunk_import_id_fkey is removed',
    'constraint import_chunk.import_chunk_pkey is removed',
    'index import_chunk_pkey is removed',
    'table import_chunk is removed',
  ],
  // Wider indexes replace them.
  '0136-order-of-names': [
    'index agent_city_name_idx is removed',
    'index agent_last_name_idx is removed',
    'index agent_office_name_idx is removed',
    'index agent_region_name_idx is removed',
  ],
  // The rows of a file are not compared with each other any more, and no release has used the table.
  '0180-no-compared-rows': [
    'column compared_row.batch is removed',
    'column compared_row.import_id is removed',
    'column compared_row.keys is removed',
    'column compared_row.record is removed',
    'column compared_row.row is removed',
    'constraint compared_row.compared_row_import_id_fkey is removed',
    'constraint compared_row.compared_row_pkey is removed',
    'index compared_row_keys_idx is removed',
    'index compared_row_pkey is removed',
    'table compared_row is removed',
  ],
};

/** The migration that adds rules to the domains of texts: the service has never written what they reject, for it is no release yet. */
const TEXT_RULES = '0131-normal-forms';

async function violationsOf<Tables>(db: Kysely<Tables>, { up, isConcurrent = false }: ReleasedMigration) {
  const before = await readCatalog(db);
  await up(db);
  return migrationViolations(before, await readCatalog(db), { isConcurrent });
}

it('every migration after the first release is additive, except for accepted violations', async () => {
  await using empty = await createTestDatabase({ template: 'template0' });
  const { db } = empty;
  const found: Record<string, string[]> = {};
  // Includes the example migrations of the next release, which `npm run chaos` uses.
  for (const [name, migration] of Object.entries(withNext).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name <= FIRST_RELEASE) await migration.up(db);
    else found[name] = (await violationsOf(db, migration)).sort();
  }
  const { [TEXT_RULES]: rules = [], ...others } = found;
  expect(rules.filter((rule) => !/^domain (office|agent|team)_\w+ is changed$/.test(rule))).toEqual([]);
  const violating = Object.entries(others).filter(([, violations]) => violations.length > 0);
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
