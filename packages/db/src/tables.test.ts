import { type Selectable, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './tables.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Whether a type includes null; for `unknown`, both are possible. */
type Nullable<Value> = unknown extends Value ? 'YES' | 'NO' : null extends Value ? 'YES' : 'NO';
/** Every column of a table type and whether it is nullable. */
type Shape<Table> = {
  [Column in keyof Table]: Nullable<Selectable<Table>[Column & keyof Selectable<Table>]>;
};
type Tables = { [Name in keyof Database]: Shape<Database[Name]> };

const record = {
  id: 'NO',
  status: 'NO',
  status_reason: 'YES',
  status_changed_at: 'NO',
  deactivated_at: 'YES',
  created_at: 'NO',
  updated_at: 'NO',
  version: 'NO',
  source_name: 'YES',
  source_key: 'YES',
  metadata: 'NO',
} as const;
const address = {
  address_line1: 'YES',
  address_line2: 'YES',
  address_city: 'YES',
  address_county: 'YES',
  address_region: 'YES',
  address_postal_code: 'YES',
  address_country: 'YES',
} as const;
const contact = {
  type: 'YES',
  mls_id: 'YES',
  national_association_id: 'YES',
  licenses: 'NO',
  phone: 'YES',
  phone_ext: 'YES',
  fax: 'YES',
  email: 'YES',
  website: 'YES',
  bio: 'YES',
} as const;

/** The columns that triggers compute. */
type Made = (typeof made)[number];
const made = ['search_text', 'record', 'record_shape'] as const;

const tables: Omit<Tables, 'office' | 'agent'> & {
  office: Omit<Tables['office'], Made>;
  agent: Omit<Tables['agent'], Made>;
} = {
  office: {
    ...record,
    ...address,
    ...contact,
    name: 'NO',
    legal_name: 'YES',
    branch_type: 'YES',
    main_office_id: 'YES',
    broker_agent_id: 'YES',
    manager_agent_id: 'YES',
    franchise: 'YES',
    mailing_address_line1: 'YES',
    mailing_address_line2: 'YES',
    mailing_address_city: 'YES',
    mailing_address_county: 'YES',
    mailing_address_region: 'YES',
    mailing_address_postal_code: 'YES',
    mailing_address_country: 'YES',
    time_zone: 'YES',
  },
  agent: {
    ...record,
    ...address,
    ...contact,
    first_name: 'NO',
    last_name: 'NO',
    middle_name: 'YES',
    nickname: 'YES',
    name_prefix: 'YES',
    name_suffix: 'YES',
    display_name: 'YES',
    title: 'YES',
    office_id: 'YES',
    transferred_at: 'YES',
    mobile_phone: 'YES',
    direct_phone: 'YES',
    languages: 'NO',
    designations: 'NO',
    assistant_to_agent_id: 'YES',
    photo_url: 'YES',
  },
  api_key: {
    id: 'NO',
    name: 'NO',
    scopes: 'NO',
    created_at: 'NO',
    updated_at: 'NO',
    expires_at: 'YES',
    revoked_at: 'YES',
    last_used_at: 'YES',
    created_by: 'YES',
  },
  api_key_secret: { hash: 'NO', key_id: 'NO', hint: 'NO', created_at: 'NO', ends_at: 'YES' },
  idempotent_answer: {
    actor_id: 'NO',
    operation: 'NO',
    key: 'NO',
    input_hash: 'NO',
    answer: 'NO',
    created_at: 'NO',
  },
  event: {
    id: 'NO',
    position: 'YES',
    type: 'NO',
    subject_id: 'NO',
    version: 'NO',
    occurred_at: 'NO',
    actor_id: 'YES',
    request_id: 'YES',
    reason: 'YES',
    record: 'YES',
    previous: 'NO',
  },
  admin_event: {
    position: 'NO',
    type: 'NO',
    subject_id: 'NO',
    version: 'NO',
    occurred_at: 'NO',
    actor_id: 'YES',
    request_id: 'YES',
    record: 'NO',
    previous: 'NO',
  },
  event_log: { is_only: 'NO', last_position: 'NO', compacted_to: 'NO' },
  webhook: {
    id: 'NO',
    url: 'NO',
    description: 'YES',
    types: 'YES',
    status: 'NO',
    status_reason: 'YES',
    status_changed_at: 'NO',
    failing_since: 'YES',
    slow_since: 'YES',
    paused_until: 'YES',
    test_ends_at: 'YES',
    created_by: 'YES',
    read_to: 'NO',
    created_at: 'NO',
    updated_at: 'NO',
  },
  webhook_secret: { secret: 'NO', webhook_id: 'NO', created_at: 'NO', ends_at: 'YES' },
  webhook_delivery: {
    id: 'NO',
    seq: 'NO',
    webhook_id: 'NO',
    position: 'NO',
    type: 'NO',
    subject_id: 'NO',
    status: 'NO',
    attempts: 'NO',
    due_at: 'YES',
    claim: 'YES',
    created_at: 'NO',
    finished_at: 'YES',
  },
  primary_term: { term: 'NO', id: 'NO', system_identifier: 'NO', timeline: 'NO', begun_at: 'NO' },
  tombstone: { collection: 'NO', id: 'NO', record: 'NO', deleted_at: 'NO' },
  server: { id: 'NO', seen_at: 'NO', is_alone: 'NO' },
  caller_rate: { caller: 'NO', spent_until: 'NO', changed_in: 'NO' },
};

async function columnsOf(table: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ column_name: string; is_nullable: string }>`
    select column_name, is_nullable from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and not (table_name in ('office', 'agent') and column_name = any(${[...made]}))`.execute(
    database.db,
  );
  return Object.fromEntries(rows.map(({ column_name, is_nullable }) => [column_name, is_nullable]));
}

describe('the table types', () => {
  it.each(Object.keys(tables))(
    'have the columns of %s that the migrations create, with the same nullability',
    async (table) => {
      expect(await columnsOf(table)).toEqual(tables[table as keyof typeof tables]);
    },
  );

  it('include every table', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'kysely_%'`.execute(database.db);
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
  });

  it('have computed columns that cannot be overwritten', async () => {
    const { rows } = await sql<Record<Made, unknown>>`
      insert into office (id, name, created_at, updated_at, status_changed_at, search_text, record, record_shape)
      values (gen_random_uuid(), 'Casa', now(), now(), now(), 'X', '{}', 999) returning *`.execute(
      database.db,
    );
    const { rows: changed } = await sql<Record<Made, unknown>>`
      update office set search_text = 'X', record = '{}', record_shape = 999 where name = 'Casa' returning *`.execute(
      database.db,
    );
    for (const row of [...rows, ...changed]) {
      expect(row).toMatchObject({ record: { name: 'Casa' }, record_shape: expect.any(Number) });
      expect(row.record_shape).not.toBe(999);
      expect(String(row.search_text).trim()).toBe('CASA');
    }
  });

  it('have timestamps in milliseconds, like dates in JavaScript', async () => {
    const { rows } = await sql<{ precision: number }>`
      select distinct datetime_precision as precision from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely_%' and data_type like 'timestamp%'`.execute(
      database.db,
    );
    expect(rows).toEqual([{ precision: 3 }]);
  });
});
