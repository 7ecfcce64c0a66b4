import { recordVersions } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { agents } from '../../directory/agents/definition.ts';
import { Agent } from '../../directory/agents/schemas.ts';
import { offices } from '../../directory/offices/definition.ts';
import { Office } from '../../directory/offices/schemas.ts';
import { findRecord } from '../list/find-record.ts';
import { readPage } from '../list/list-records.ts';
import { folded, wordsOf } from '../sameness/folding.ts';
import { backfillRecords } from '../write/backfill.ts';
import type { RawJson } from './raw-json.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Lets rows be as another release leaves them: with a record of its fields under its number, or with none. */
async function leaveAs(shape: number | null): Promise<void> {
  const record = shape === null ? null : '{"of":"another release"}';
  const { db } = database;
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const { table } of [offices, agents]) {
      await sql`update ${sql.table(table)} set record = ${record}::json, record_shape = ${shape}`.execute(
        trx,
      );
    }
  });
}

/** A value for a column that nothing but its type binds; three characters, for a region has no more. */
const samples: Record<string, (letter: string) => unknown> = {
  text: (letter) => `${letter}"\\`,
  'text[]': (letter) => [letter, 'a,"b'],
  jsonb: (letter) => ({ [letter]: '\n\u2028' }),
  integer: () => 7,
  boolean: () => false,
  timestamp: () => '2026-02-03T04:05:06.07+02:00',
};

/** A value for every column of a table, with a letter in all that is text. */
async function fullRow(table: 'office' | 'agent', letter: string): Promise<Record<string, unknown>> {
  const { id: officeId } = await caller.offices.create({ name: 'Sede' });
  const { id: affiliatedId } = await caller.offices.create({ name: 'Filial' });
  const { id: agentId } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(coalesce(nullif(typbasetype, 0), atttypid), null) as type
    from pg_attribute join pg_type on pg_type.oid = atttypid
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    database.db,
  );
  const sampled = rows.map(({ name, type }) => [name, samples[type.split(' ')[0] ?? '']?.(letter)]);
  return {
    ...Object.fromEntries(sampled),
    status: 'inactive',
    branch_type: 'branch',
    licenses: [{ number: letter, type: letter, region: null, expiresOn: '2027-12-31' }],
    affiliations: [{ officeId: affiliatedId, title: letter, isVisible: true, since: null }],
    address_country: 'PT',
    address_region: '11',
    mailing_address_country: 'BR',
    mailing_address_region: 'SP',
    id: crypto.randomUUID(),
    office_id: officeId,
    assistant_to_agent_id: agentId,
    main_office_id: officeId,
    broker_agent_id: agentId,
    manager_agent_id: agentId,
  };
}

/** The least that a row may hold. */
function emptyRow(): Record<string, unknown> {
  const now = new Date();
  const times = { created_at: now, updated_at: now, status_changed_at: now };
  return { id: crypto.randomUUID(), name: 'A', first_name: 'A', last_name: 'B', ...times };
}

const schemas = { office: Office, agent: Agent };

/** The text of raw JSON. */
const textOf = (json: RawJson) => json.take().join('');

/** Writes a row and reads its JSON: as the trigger materialises it, and as the function of the schema version builds it. */
async function jsonOf({ table }: typeof offices | typeof agents, values: Record<string, unknown>) {
  const name = sql.table(table);
  const { db } = database;
  const { rows: known } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attname = any(${Object.keys(values)})`.execute(
    db,
  );
  const columns = sql.join(known.map((column) => sql.ref(column.name)));
  await sql`
    insert into ${name} (${columns})
    select ${columns} from json_populate_record(null::${name}, ${JSON.stringify(values)}::json)`.execute(db);
  const build = sql.id(`${table}_record_${recordVersions[table]}`);
  const { rows } = await sql<{ materialized: string; built: string }>`
    select record::text as materialized, ${build}(${name})::text as built from ${name} where id = ${values.id}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the row is not there');
  return row;
}

describe.each([offices, agents])('the JSON of a row of $table', (resource) => {
  it.each(['x', 'ß', '陽', '😀'])('has every field in its order if all of them hold %s', async (letter) => {
    const { materialized, built } = await jsonOf(resource, await fullRow(resource.table, letter));
    expect(built).toBe(materialized);
    const record = JSON.parse(materialized);
    expect(Object.keys(record)).toEqual(Object.keys(resource.fields));
    expect(Object.values(record)).not.toContain(null);
    expect(schemas[resource.table].safeParse(record).error).toBeUndefined();
  });

  it('has every field in its order if few of them hold anything', async () => {
    const { materialized, built } = await jsonOf(resource, emptyRow());
    expect(built).toBe(materialized);
    const record = JSON.parse(materialized);
    expect(Object.keys(record)).toEqual(Object.keys(resource.fields));
    expect(record).toMatchObject({ address: null, source: null, licenses: [], metadata: {} });
    expect(schemas[resource.table].safeParse(record).error).toBeUndefined();
  });

  it('is sent in pages and alone as the row keeps it, byte for byte', async () => {
    const given = [
      emptyRow(),
      ...(await Promise.all(['a', 'é', '🙂'].map((of) => fullRow(resource.table, of)))),
    ];
    const ids = given.map(({ id }) => String(id));
    const kept: string[] = [];
    for (const row of given) kept.push((await jsonOf(resource, row)).materialized);
    const input = { ids, limit: 50, sort: 'createdAt' };
    const page =
      resource.table === 'office'
        ? await readPage(database.db, { resource: offices, input, limit: undefined })
        : await readPage(database.db, { resource: agents, input, limit: undefined });
    const text = textOf(page);
    expect(text.startsWith('{"items":[') && text.endsWith(']}')).toBe(true);
    const byId = (json: string) => JSON.parse(json).id;
    const order: string[] = JSON.parse(text).items.map(({ id }: { id: string }) => id);
    const inOrder = kept.toSorted((one, other) => order.indexOf(byId(one)) - order.indexOf(byId(other)));
    expect(text).toBe(`{"items":[${inOrder.join(',\n')}]}`);
    for (const [place, id] of ids.entries()) {
      const read =
        resource.table === 'office'
          ? await findRecord(database.db, offices, { id, limit: undefined })
          : await findRecord(database.db, agents, { id, limit: undefined });
      expect(read && textOf(read)).toBe(kept[place]);
    }
  });
});

describe('the text that is searched', () => {
  const unicode = [
    'straße',
    'ﬁm',
    'Σίσυφος',
    'ǆ',
    'q\u0301',
    'Ａｎａ',
    'ıİiI',
    '陽菜',
    '😀',
    'a\u00a0b',
    '\u007f\u0080',
  ];
  const ascii = Array.from({ length: 127 }, (_, index) => `a${String.fromCharCode(index + 1)}z`);

  it('is folded by the rules of Unicode, where it is ASCII and where it is not', async () => {
    const { rows } = await sql<{ made: string; name: string; email: string }>`
      insert into office (id, name, email, created_at, updated_at, status_changed_at)
      select gen_random_uuid(), name, case when place % 2 = 0 then 'Ana@Lar.example' end, now(), now(), now()
      from unnest(${[...unicode, ...ascii]}::text[]) with ordinality as given (name, place)
      returning search_text as made, name, coalesce(email, '') as email`.execute(database.db);
    expect(rows).toHaveLength(unicode.length + ascii.length);
    for (const { made, name, email } of rows) {
      const [before, shown, ...others] = made.split(' | ').map((part) => wordsOf(part).join(' '));
      expect([before, shown]).toEqual(['', wordsOf(folded(name)).join(' ')]);
      expect(others.join(' ').trim()).toBe(email.toUpperCase());
    }
  });

  it('follows a change to other letters and back', async () => {
    const { id } = await caller.agents.create({ firstName: 'Jose', lastName: 'Sousa' });
    const search = async (q: string) => (await caller.agents.list({ ids: [id], q })).items.length;
    await caller.agents.update({ id, lastName: 'Straße' });
    expect([await search('strasse'), await search('sousa')]).toEqual([1, 0]);
    await caller.agents.update({ id, lastName: 'Sousa' });
    expect([await search('strasse'), await search('SOUSA')]).toEqual([0, 1]);
  });
});

describe.each([null, 999])('a row that keeps a record of the shape %s', (shape) => {
  const fields = { firstName: 'Ana', lastName: 'Reis', address: { city: 'Faro' }, languages: ['pt'] };

  it('is read, listed and changed as it would be with its own, and has it again after a renewal', async () => {
    const office = await caller.offices.create({ name: 'Casa', address: { city: 'Faro' } });
    const agent = await caller.agents.create({ ...fields, officeId: office.id });
    await leaveAs(shape);
    const { items: alone } = await caller.agents.list({ ids: [agent.id] });
    expect(alone).toEqual([agent]);
    expect(await caller.agents.get({ id: agent.id })).toEqual(agent);
    expect(await caller.offices.get({ id: office.id })).toEqual(office);
    const changed = await caller.offices.update({ id: office.id, name: 'Lar' });
    expect(changed).toEqual({ ...office, name: 'Lar', version: 2, updatedAt: changed.updatedAt });
    expect(await backfillRecords(database.db, [offices, agents])).toBeGreaterThan(0);
    expect(await backfillRecords(database.db, [offices, agents])).toBe(0);
    const { rows } = await sql`select record, record_shape from agent where id = ${agent.id}`.execute(
      database.db,
    );
    expect(rows).toEqual([{ record: agent, record_shape: recordVersions.agent }]);
  });

  it('is in one page with rows that keep their own', async () => {
    const old = await caller.agents.create(fields);
    await leaveAs(shape);
    const own = await caller.agents.create(fields);
    const { items } = await caller.agents.list({ ids: [old.id, own.id], sort: 'createdAt' });
    expect(items).toEqual([old, own]);
  });

  it('is returned as it is by a change that changes nothing', async () => {
    const agent = await caller.agents.create(fields);
    await leaveAs(shape);
    expect(await caller.agents.update({ id: agent.id, ...fields })).toEqual(agent);
  });

  it('has events with its own record and the values before, of changes, imports and its deletion', async () => {
    const source = { name: `MLS ${shape}`, key: '1' };
    const agent = await caller.agents.create({ ...fields, source });
    const { id } = agent;
    await leaveAs(shape);
    const updated = await caller.agents.update({ id, title: 'Broker' });
    await leaveAs(shape);
    await caller.imports.agents({ mode: 'upsert', records: [{ ...fields, source, title: 'Chair' }] });
    const merged = await caller.agents.get({ id });
    await leaveAs(shape);
    await caller.agents.delete({ id });
    const { rows } = await sql`
      select record, previous from event where subject_id = ${id} order by id offset 1`.execute(database.db);
    const { updatedAt } = agent;
    expect(rows).toEqual([
      { record: updated, previous: { title: null, version: 1, updatedAt } },
      { record: merged, previous: { title: 'Broker', version: 2, updatedAt: updated.updatedAt } },
      { record: merged, previous: {} },
    ]);
    const restored = await caller.agents.restore({ id });
    expect(restored).toEqual({ ...merged, version: 4, updatedAt: restored.updatedAt });
  });
});
