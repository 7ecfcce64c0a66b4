import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordTable } from './repeatable/repeatable-migration.ts';
import { createTestDatabase, requiredColumns, type TestDatabase } from './testing/index.ts';

type Table = RecordTable | 'tombstone';
type Values = Record<string, unknown>;
type Case = [table: Table, constraint: string, act: () => Promise<unknown>];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const NOW = new Date('2026-01-31T08:00:00.000Z');
const required: Record<Table, Values> = {
  ...requiredColumns,
  tombstone: { collection: 'offices', record: '{}', deleted_at: NOW },
};

/** Inserts a row without the checks of the API. */
async function insert(table: Table, values: Values = {}): Promise<string> {
  const times = table === 'tombstone' ? {} : { status_changed_at: NOW, created_at: NOW, updated_at: NOW };
  const row: Values = { id: randomUUID(), ...times, ...required[table], ...values };
  const names = Object.keys(row).map((name) => sql.ref(name));
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(
    database.db,
  );
  return String(row.id);
}

async function update(table: Table, id: string, values: Values): Promise<void> {
  const set = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${id}`.execute(database.db);
}

/** Notes that a record was merged into another one, with the keys that the merge took. */
async function merge(table: RecordTable, survivorId: string, keys: Values): Promise<void> {
  const row: Values = {
    collection: `${table}s`,
    survivor_id: survivorId,
    moved: '{}',
    merged_at: NOW,
    ...keys,
  };
  const names = ['id', 'duplicate_id', ...Object.keys(row)].map((name) => sql.ref(name));
  const values = [randomUUID(), randomUUID(), ...Object.values(row)];
  await sql`insert into record_merge (${sql.join(names)}) values (${sql.join(values)})`.execute(database.db);
}

const tables = Object.keys(requiredColumns) as RecordTable[];

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const unknownIds = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
const affiliatedWith = (...offices: string[]) =>
  JSON.stringify(offices.map((officeId) => ({ officeId, title: null, isVisible: true, since: null })));
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
const membersOf = (...members: object[]) =>
  JSON.stringify(
    members.map((member) => ({ role: 'member', title: null, since: null, until: null, ...member })),
  );
const invalidJson = (table: RecordTable, column: string, values: unknown[]): Case[] =>
  values.map((value) => [
    table,
    `${table}_${column}_check`,
    () => insert(table, { [column]: JSON.stringify(value) }),
  ]);

/** A letter with its accent in a code point of its own. */
const DECOMPOSED = 'e\u0301';
const decomposed = (table: RecordTable, values: Record<string, unknown>): Case[] =>
  Object.entries(values).map(([column, value]) => [
    table,
    `${table}_${column}_nfc_check`,
    () => insert(table, { [column]: value }),
  ]);
const decomposedLicenses = JSON.stringify([{ number: DECOMPOSED }]);

const located = (table: RecordTable): Case[] => [
  ...decomposed(table, { mls_id: DECOMPOSED }),
  [table, `${table}_address_region_case_check`, () => insert(table, { address_region: 'fl' })],
  [table, `${table}_address_country_check`, () => insert(table, { address_country: 'pt' })],
  [table, `${table}_address_country_check`, () => insert(table, { address_country: 'PRT' })],
];

/** What the tables of all records have. */
const ofAll = (table: RecordTable): Case[] => [
  ...decomposed(table, { metadata: JSON.stringify({ [DECOMPOSED]: 'x' }) }),
  [table, `${table}_status_check`, () => insert(table, { status: 'gone' })],
  [table, `${table}_version_check`, () => insert(table, { version: 0 })],
  [table, `${table}_deactivated_check`, () => insert(table, { status: 'inactive' })],
  [table, `${table}_deactivated_check`, () => insert(table, { deactivated_at: NOW })],
  [table, `${table}_status_reason_check`, () => insert(table, { status_reason: '' })],
  [table, `${table}_status_reason_check`, () => insert(table, { status_reason: '🏠'.repeat(501) })],
  [table, `${table}_source_check`, () => insert(table, { source_name: 'MLS' })],
  [table, `${table}_source_check`, () => insert(table, { source_key: '1' })],
  [
    table,
    `${table}_source_key`,
    async () => {
      await insert(table, { source_name: 'MLS', source_key: '1' });
      await insert(table, { source_name: 'MLS', source_key: '1' });
    },
  ],
  ...(['insert', 'update'] as const).map(
    (how): Case => [
      table,
      `${table}_merged_source_key`,
      async () => {
        const source = { source_name: 'CRM', source_key: `${table} ${how}` };
        await merge(table, await insert(table), source);
        await (how === 'insert' ? insert(table, source) : update(table, await insert(table), source));
      },
    ],
  ),
  ...invalidJson(table, 'metadata', [
    [],
    pairs(51),
    { '': 'x' },
    { ['k'.repeat(41)]: 'x' },
    { a: 'x'.repeat(501) },
    { a: 5 },
    { a: null },
  ]),
];

const ofBoth = (table: 'office' | 'agent'): Case[] =>
  invalidJson(table, 'licenses', [
    {},
    [{}],
    [{ number: '' }],
    [{ number: 'x'.repeat(51) }],
    [{ number: '1', region: 'abcd' }],
    [{ number: '1', type: 'x'.repeat(31) }],
    many(table === 'office' ? 21 : 51, { number: '1' }),
  ]);

const cases: Case[] = [
  ...tables.flatMap(ofAll),
  ...(['office', 'agent', 'team'] as const).flatMap(located),
  ...(['office', 'agent'] as const).flatMap(ofBoth),
  ['office', 'office_branch_type_check', () => insert('office', { branch_type: 'kiosk' })],
  [
    'office',
    'office_mailing_address_country_check',
    () => insert('office', { mailing_address_country: '  ' }),
  ],
  ...(['main_office_id', 'broker_agent_id', 'manager_agent_id'] as const).map(
    (column): Case => ['office', `office_${column}_fkey`, () => insert('office', { [column]: randomUUID() })],
  ),
  [
    'office',
    'office_main_office_self_check',
    async () => {
      const id = await insert('office');
      await update('office', id, { main_office_id: id });
    },
  ],
  [
    'office',
    'office_main_office_cycle_check',
    async () => {
      const top = await insert('office');
      const low = await insert('office', { main_office_id: await insert('office', { main_office_id: top }) });
      await update('office', top, { main_office_id: low });
    },
  ],
  [
    'office',
    'office_main_office_id_fkey',
    async () => {
      const top = await insert('office');
      await insert('office', { main_office_id: top });
      await sql`delete from office where id = ${top}`.execute(database.db);
    },
  ],
  ...(['office_id', 'assistant_to_agent_id'] as const).map(
    (column): Case => ['agent', `agent_${column}_fkey`, () => insert('agent', { [column]: randomUUID() })],
  ),
  [
    'agent',
    'agent_assistant_to_self_check',
    async () => {
      const id = await insert('agent');
      await update('agent', id, { assistant_to_agent_id: id });
    },
  ],
  [
    'agent',
    'agent_email_key',
    async () => {
      await insert('agent', { email: 'Όλγα@roster.example' });
      await insert('agent', { email: 'ΌΛΓΑ@ROSTER.example' });
    },
  ],
  [
    'agent',
    'agent_email_settled_check',
    async () => {
      await insert('agent', { email: 'moving@roster.example', is_email_moving: true });
    },
  ],
  ...(['insert', 'update'] as const).map(
    (how): Case => [
      'agent',
      'agent_merged_email_key',
      async () => {
        await merge('agent', await insert('agent'), { email: `Όλγα-${how}@roster.example` });
        const values = { email: `ΌΛΓΑ-${how}@ROSTER.example` };
        await (how === 'insert' ? insert('agent', values) : update('agent', await insert('agent'), values));
      },
    ],
  ),
  ['agent', 'agent_name_check', () => insert('agent', { first_name: null, last_name: null })],
  [
    'agent',
    'agent_name_check',
    async () => {
      const id = await insert('agent', { last_name: null });
      await update('agent', id, { first_name: null });
    },
  ],
  [
    'agent',
    'agent_office_active_check',
    async () => {
      const office = await insert('office', { status: 'inactive', deactivated_at: NOW });
      await insert('agent', { office_id: office });
    },
  ],
  [
    'agent',
    'agent_office_active_check',
    async () => {
      const office = await insert('office', { status: 'inactive', deactivated_at: NOW });
      await update('agent', await insert('agent'), { office_id: office });
    },
  ],
  [
    'agent',
    'agent_office_active_check',
    async () => {
      const office = await insert('office', { status: 'inactive', deactivated_at: NOW });
      const id = await insert('agent', { office_id: office, status: 'inactive', deactivated_at: NOW });
      await update('agent', id, { status: 'active', deactivated_at: null });
    },
  ],
  [
    'agent',
    'agent_affiliations_check',
    () => insert('agent', { affiliations: affiliatedWith(...unknownIds(21)) }),
  ],
  [
    'agent',
    'agent_affiliations_check',
    async () => {
      const office = await insert('office');
      await insert('agent', { affiliations: affiliatedWith(office, office) });
    },
  ],
  ['agent', 'agent_affiliations_check', () => insert('agent', { affiliations: '[{}]' })],
  [
    'agent',
    'agent_affiliation_office_id_fkey',
    () => insert('agent', { affiliations: affiliatedWith(...unknownIds(1)) }),
  ],
  [
    'agent',
    'agent_affiliations_primary_check',
    async () => {
      const office = await insert('office');
      await insert('agent', { office_id: office, affiliations: affiliatedWith(office) });
    },
  ],
  [
    'agent',
    'agent_affiliations_office_active_check',
    async () => {
      const office = await insert('office', { status: 'inactive', deactivated_at: NOW });
      await update('agent', await insert('agent'), { affiliations: affiliatedWith(office) });
    },
  ],
  ...decomposed('office', { licenses: decomposedLicenses }),
  ...decomposed('agent', {
    first_name: DECOMPOSED,
    licenses: decomposedLicenses,
    languages: [DECOMPOSED],
    designations: [DECOMPOSED],
    affiliations: affiliatedWith(...unknownIds(1)).replace('null', JSON.stringify(DECOMPOSED)),
  }),
  ...decomposed('team', {
    social_links: [DECOMPOSED],
    members: membersOf({ agentId: randomUUID(), title: DECOMPOSED }),
  }),
  ['agent', 'agent_languages_check', () => insert('agent', { languages: many(21, 'pt') })],
  ['agent', 'agent_languages_check', () => insert('agent', { languages: ['x'.repeat(36)] })],
  ['agent', 'agent_designations_check', () => insert('agent', { designations: many(31, 'GRI') })],
  ['agent', 'agent_designations_check', () => insert('agent', { designations: [''] })],
  ['agent', 'agent_designations_check', () => insert('agent', { designations: [null] })],
  ['team', 'team_office_id_fkey', () => insert('team', { office_id: randomUUID() })],
  ['team', 'team_social_links_check', () => insert('team', { social_links: many(11, 'https://x.example') })],
  ['team', 'team_members_check', () => insert('team', { members: '[{}]' })],
  [
    'team',
    'team_members_check',
    () => insert('team', { members: membersOf(...unknownIds(101).map((agentId) => ({ agentId }))) }),
  ],
  [
    'team',
    'team_members_check',
    async () => {
      const agentId = await insert('agent');
      await insert('team', { members: membersOf({ agentId }, { agentId }) });
    },
  ],
  [
    'team',
    'team_members_check',
    async () => {
      const member = { agentId: await insert('agent'), since: '2026-03-02', until: '2026-03-01' };
      await insert('team', { members: membersOf(member) });
    },
  ],
  [
    'team',
    'team_members_lead_check',
    async () => {
      const [first, second] = [await insert('agent'), await insert('agent')];
      const lead = { role: 'lead' };
      const members = membersOf(
        { ...lead, agentId: first, until: '2026-03-01' },
        { ...lead, agentId: second, since: '2026-03-01' },
      );
      await insert('team', { members });
    },
  ],
  [
    'team',
    'team_member_agent_id_fkey',
    () => insert('team', { members: membersOf(...unknownIds(1).map((agentId) => ({ agentId }))) }),
  ],
  ['tombstone', 'tombstone_collection_check', () => insert('tombstone', { collection: 'companies' })],
  [
    'tombstone',
    'tombstone_pkey',
    async () => {
      const id = await insert('tombstone');
      await insert('tombstone', { id });
    },
  ],
];

describe('constraints apply without the API', () => {
  it.each(cases)('%s: %s', async (_, constraint, act) => {
    await expect(act()).rejects.toMatchObject({ constraint });
  });

  it('and every constraint and unique index has a case, except the rules of single text columns, which the schemas test', async () => {
    const relations = sql.join(tables.map((table) => sql`${sql.lit(table)}::regclass`));
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where conrelid in (${relations}, 'tombstone'::regclass)
        and contype in ('c', 'f', 'u') or contype = 't' and conrelid = 'office'::regclass
        or contypid in (
          select oid from pg_type where typnamespace = 'public'::regnamespace and typbasetype <> 'text'::regtype
        )
      union
      select relname from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid in (${relations}) and indisunique and not indisprimary`.execute(database.db);
    const tested = cases.map(([, constraint]) => constraint);
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.map(({ name }) => name).filter((name) => !tested.includes(name))).toEqual([]);
  });
});
