import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { newSystem } from '../../test/support/systems.ts';
import type { ImportedAgent } from '../directory/agents/schemas.ts';
import type { ImportedOffice } from '../directory/offices/schemas.ts';
import { assignPositions } from '../log/sequencer.ts';
import type { ImportSchemas } from './schemas.ts';

type NewAgents = z.input<ImportSchemas['agents']>['records'];
type AgentRecord = NewAgents[number];

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const email = () => `${newSystem().name.replace(' ', '-')}@roster.example`;
const ana = { firstName: 'Ana', lastName: 'Silva' };
const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** How many records and events there are. */
async function counts() {
  const { rows } =
    await sql`select (select count(*) from office) as offices, (select count(*) from agent) as agents,
    (select count(*) from event) as events`.execute(database.db);
  return rows[0];
}

/** Expects that an import is rejected with this error code and these faults, and that nothing was written. */
async function expectRejected(importing: () => Promise<unknown>, errorCode: string, faults: string[]) {
  const before = await counts();
  const error = await rejected(importing());
  expect([error.errorCode, ...fieldErrorsOf(error)]).toEqual([errorCode, ...faults]);
  expect(await counts()).toEqual(before);
}

describe('records that are new', () => {
  it('are created with every field, each with one event, in the order they came in', async () => {
    const { of } = newSystem();
    const agents = ['1', '2', '3'].map((key) => ({ ...ana, source: of(key), languages: ['pt'], title: key }));
    const before = await caller.agents.create({ ...ana, languages: ['pt'] });
    const { results, ...sums } = await caller.imports.agents({ records: agents });
    expect(sums).toEqual({ created: 3, updated: 0, unchanged: 0, errors: 0 });
    const ids = results.map(({ id }) => id ?? '');
    const { items } = await caller.agents.list({ ids, sort: 'createdAt' });
    expect(items.map(({ title }) => title)).toEqual(['1', '2', '3']);
    const given = ['id', 'createdAt', 'updatedAt', 'statusChangedAt', 'source', 'title'];
    const rest = (agent: object) => Object.entries(agent).filter(([name]) => !given.includes(name));
    for (const item of items) expect(rest(item)).toEqual(rest(before));
    await assignPositions(database.db);
    for (const [index, subject] of ids.entries()) {
      const events = (await caller.events.list({ subject })).items;
      expect(events).toMatchObject([
        { type: 'agent.created', version: 1, requestId: 'test', previous: {}, record: items[index] },
      ]);
    }
  });

  it('say nothing of a source in mode create, and must in mode upsert', async () => {
    expect(await caller.imports.agents({ records: [ana, ana] })).toMatchObject({ created: 2 });
    await expectRejected(
      () => caller.imports.agents({ mode: 'upsert', records: [ana, { ...ana, source: null }] }),
      'validation_failed',
      ['#/records/0/source required', '#/records/1/source required'],
    );
  });
});

describe('records that came from the same source before', () => {
  it('are changed as by a merge patch, with one event and one version more', async () => {
    const { of } = newSystem();
    const first = {
      name: 'Porto',
      source: of('1'),
      phoneExt: '1',
      bio: 'x',
      address: { city: 'Porto', line1: 'Rua 1' },
      metadata: { a: '1', b: '1' },
    };
    const { results } = await caller.imports.offices({ records: [first] });
    const id = results[0]?.id ?? '';
    const patch = {
      phoneExt: null,
      address: { line1: null },
      metadata: { a: null, c: '2' },
      email: 'a@b.pt',
    };
    const again = await caller.imports.offices({
      mode: 'upsert',
      records: [{ name: 'Porto', source: of('1'), ...patch }],
    });
    expect(again.results).toEqual([{ index: 0, status: 'updated', id, version: 2, matchedBy: 'source' }]);
    const office = await caller.offices.get({ id });
    expect(office).toMatchObject({ phoneExt: null, bio: 'x', email: 'a@b.pt', metadata: { b: '1', c: '2' } });
    expect(office.address).toMatchObject({ city: 'Porto', line1: null });
    await assignPositions(database.db);
    const { items } = await caller.events.list({ subject: id });
    const previous = Object.keys(items[1]?.previous ?? {}).sort();
    expect(items.map(({ type }) => type)).toEqual(['office.created', 'office.updated']);
    expect(previous).toEqual(['address', 'email', 'metadata', 'phoneExt', 'updatedAt', 'version']);
  });

  it('make no version and no event where nothing changes', async () => {
    const { of } = newSystem();
    const agent = {
      ...ana,
      source: of('1'),
      displayName: 'Ana Silva',
      licenses: [{ number: '1' }],
      bio: ' x ',
    };
    await caller.imports.agents({ records: [agent] });
    const before = await counts();
    const { results } = await caller.imports.agents({ mode: 'upsert', records: [agent] });
    expect(results).toMatchObject([{ status: 'unchanged', version: 1 }]);
    expect(await counts()).toEqual(before);
  });

  it('are rejected in mode create', async () => {
    const { of } = newSystem();
    await caller.imports.agents({ records: [{ ...ana, source: of('1') }] });
    const records = ['0', '1'].map((key) => ({ ...ana, source: of(key) }));
    await expectRejected(() => caller.imports.agents({ records }), 'source_taken', [
      '#/records/1/source taken',
    ]);
  });

  it('keep their status, which an import does not know', async () => {
    const { of } = newSystem();
    const { results } = await caller.imports.agents({ records: [{ ...ana, source: of('1') }] });
    const id = results[0]?.id ?? '';
    await caller.agents.deactivate({ id });
    await caller.imports.agents({ mode: 'upsert', records: [{ ...ana, source: of('1'), bio: 'x' }] });
    expect(await caller.agents.get({ id })).toMatchObject({ status: 'inactive', bio: 'x', version: 3 });
  });

  it('are moved with the time of the transfer', async () => {
    const { of } = newSystem();
    await caller.imports.offices({ records: [{ name: 'Faro', source: of('f') }] });
    const agent = { ...ana, source: of('1') };
    const { results } = await caller.imports.agents({ records: [agent] });
    await caller.imports.agents({ mode: 'upsert', records: [{ ...agent, officeSourceKey: 'f' }] });
    const moved = await caller.agents.get({ id: results[0]?.id ?? '' });
    expect(moved.transferredAt).toBe(moved.updatedAt);
  });
});

describe('one bad record', () => {
  const bad = (of: (key: string) => { name: string; key: string }) => [
    { ...ana, source: of('0') },
    { ...ana, source: of('1'), email: 'no address', status: 'active', languages: ['pt', '!'] },
    { ...ana, source: of('2'), officeId: UNKNOWN_ID },
    { ...ana, source: of('0') },
    JSON.parse('"Ana"'),
    { ...ana, source: of('5'), email: 'Taken@roster.example' },
  ];
  const faults = [
    [
      '#/records/1/email invalid_format',
      '#/records/1/languages/1 invalid_format',
      '#/records/1/status read_only',
    ],
    ['#/records/2/officeId not_found'],
    ['#/records/3/source repeated'],
    ['#/records/4 invalid_type'],
    ['#/records/5/email taken'],
  ];
  beforeAll(() => caller.agents.create({ ...ana, email: 'taken@ROSTER.example' }));

  it('rejects all of them with the faults of each, and nothing is written', async () => {
    const records = bad(newSystem().of);
    await expectRejected(() => caller.imports.agents({ records }), 'validation_failed', faults.flat());
    const { message } = await rejected(caller.imports.agents({ records }));
    expect(message).toMatch(
      /^5 of 6 records have errors, so nothing was written: records\.1\.email .*; and 4 more\.$/,
    );
  });

  it('is rejected alone, with its own error code, if the import is not atomic', async () => {
    const records = bad(newSystem().of);
    const { results, ...sums } = await caller.imports.agents({ records, isAtomic: false });
    expect(sums).toEqual({ created: 1, updated: 0, unchanged: 0, errors: 5 });
    expect(results.map(({ error }) => error && fieldErrorsOf(error))).toEqual([undefined, ...faults]);
    expect(results.map(({ error }) => error?.code)).toEqual([
      undefined,
      'validation_failed',
      'reference_not_found',
      'validation_failed',
      'validation_failed',
      'email_taken',
    ]);
    expect(results[1]).toMatchObject({ index: 1, status: 'error', id: null, version: null });
  });

  it('is rejected with the error code of a single create', async () => {
    const taken = { ...ana, email: 'taken@roster.example' };
    const alone = await rejected(caller.agents.create(taken));
    const imported = await rejected(caller.imports.agents({ records: [ana, taken, taken] }));
    expect(imported.errorCode).not.toBe(alone.errorCode);
    const one = await rejected(caller.imports.agents({ records: [ana, taken] }));
    expect([one.errorCode, one.status]).toEqual([alone.errorCode, alone.status]);
  });

  it.each([
    ['an e-mail address of two, in any letter case', { email: 'Twice@roster.example' }, 'email repeated'],
    ['more metadata than a record holds, with that which is there', 50, 'metadata too_many'],
    ['itself as the one it assists', 'self', 'assistantToAgentId self'],
    ['an agent who does not exist', { assistantToAgentId: UNKNOWN_ID }, 'assistantToAgentId not_found'],
  ])('may name %s', async (_, what, fault) => {
    const { of } = newSystem();
    const first = { ...ana, source: of('1'), metadata: { a: '1' }, email: 'twice@ROSTER.example' };
    const { results } = await caller.imports.agents({ records: [{ ...first, email: email() }] });
    const pairs = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'x']));
    const fields: Partial<AgentRecord> =
      what === 50
        ? { metadata: pairs }
        : what === 'self'
          ? { assistantToAgentId: results[0]?.id ?? '' }
          : (what as object);
    const records = [
      { ...ana, source: of('0'), email: first.email },
      { ...ana, source: of('1'), ...fields },
    ];
    const error = await rejected(caller.imports.agents({ mode: 'upsert', records }));
    expect(fieldErrorsOf(error)).toEqual([`#/records/1/${fault}`]);
  });

  it('that only a constraint rejects is named if it is alone; else all records are', async () => {
    await using other = await createTestDatabase({ requiresEvents: true });
    const { imports } = callerIn(other.db);
    await sql`alter table agent add constraint agent_nickname_check check (nickname <> 'x')`.execute(
      other.db,
    );
    const one = await rejected(imports.agents({ records: [{ ...ana, nickname: 'x' }] }));
    const two = await rejected(imports.agents({ records: [ana, { ...ana, nickname: 'x' }] }));
    expect([one.errorCode, ...fieldErrorsOf(one)]).toEqual([
      'validation_failed',
      '#/records/0/nickname not_allowed',
    ]);
    expect([two.errorCode, ...fieldErrorsOf(two)]).toEqual(['validation_failed', '#/records not_allowed']);
  });
});

describe('a dry run', () => {
  it('returns what the import returns, without the ids it would give, and leaves no trace', async () => {
    const { of } = newSystem();
    const office = (key: string, fields = {}): ImportedOffice => ({
      name: key,
      source: of(key),
      ...fields,
    });
    await caller.imports.offices({ records: [office('a'), office('b')] });
    const records = [
      office('a'),
      office('b', { bio: 'x' }),
      office('c', { mainOfficeSourceKey: 'd' }),
      office('d'),
    ];
    const bad = [...records, office('e', { mainOfficeSourceKey: 'nowhere' })];
    const before = await counts();
    const asked = { mode: 'upsert' as const, records: bad, isAtomic: false };
    const { results, ...sums } = await caller.imports.offices({ ...asked, dryRun: true });
    await expectRejected(
      () => caller.imports.offices({ ...asked, isAtomic: true, dryRun: true }),
      'reference_not_found',
      ['#/records/4/mainOfficeSourceKey not_found'],
    );
    expect(await counts()).toEqual(before);
    const real = await caller.imports.offices(asked);
    const withoutNewIds = real.results.map((one) => (one.status === 'created' ? { ...one, id: null } : one));
    expect(results).toEqual(withoutNewIds);
    expect({ results: real.results, ...sums }).toEqual(real);
    expect(sums).toEqual({ created: 2, updated: 1, unchanged: 1, errors: 1 });
  });
});

it('takes what a record shows as what is to be written, for every field of a schema', async () => {
  const { of } = newSystem();
  const agent: ImportedAgent = {
    ...ana,
    source: of('1'),
    address: { city: 'Faro' },
    email: email(),
  };
  await caller.imports.agents({ records: [agent] });
  const { items } = await caller.agents.list({ sourceKey: '1', sourceName: agent.source?.name });
  const writable = Object.keys((await import('../directory/agents/schemas.ts')).NewAgent.shape);
  const shown = Object.fromEntries(
    Object.entries(items[0] ?? {}).filter(([name]) => writable.includes(name)),
  );
  expect(Object.keys(shown).sort()).toEqual(writable.sort());
  const { results } = await caller.imports.agents({ mode: 'upsert', records: [shown as AgentRecord] });
  expect(results[0]?.status).toBe('unchanged');
});
