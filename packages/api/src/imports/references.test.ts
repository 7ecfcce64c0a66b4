import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { newSystem } from '../../test/support/systems.ts';
import type { ImportSchemas } from './schemas.ts';

type OfficeRecord = z.input<ImportSchemas['offices']>['records'][number];

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const ana = { firstName: 'Ana', lastName: 'Silva' };

/** The error code of a rejected import, before the pointer and code of each field error. */
async function wrongIn(importing: Promise<unknown>): Promise<string[]> {
  const error = await rejected(importing);
  return fieldErrorsOf(error).map((fault) => `${error.errorCode} ${fault}`);
}

describe('the office of an agent', () => {
  it('may be named by id, by source, by its key in the source of the agent, and by name', async () => {
    const { of, name } = newSystem();
    const { results } = await caller.imports.offices({
      records: [{ name: `Ática 50%_\\ ${name}`, legalName: 'x', source: of('o') }],
    });
    const officeId = results[0]?.id ?? '';
    const names = [
      { officeId },
      { officeId: null, officeSource: of('o') },
      { officeSourceKey: 'o', officeName: null },
      { officeName: `áTICA 50%_\\ ${name.toUpperCase()}` },
    ];
    const records = names.map((fields, index) => ({ ...ana, source: of(String(index)), ...fields }));
    await caller.imports.agents({ records });
    const { items } = await caller.agents.list({ sourceName: name });
    expect(items.map((agent) => agent.officeId)).toEqual(names.map(() => officeId));
    const cleared = { ...ana, source: of('0'), officeName: null };
    await caller.imports.agents({ mode: 'upsert', records: [cleared, { ...ana, source: of('1') }] });
    expect((await caller.agents.list({ sourceName: name, officeId })).items.length).toBe(3);
  });

  it('must be one, and named in one way', async () => {
    const { of, name } = newSystem();
    await caller.imports.offices({
      records: [
        { name: `Twin ${name}`, source: of('1') },
        { name: `TWIN ${name}`, source: of('2') },
        { name: `Twin ${name} of three`, source: of('3') },
      ],
    });
    const records = [
      { ...ana, officeName: `Twin ${name}` },
      { ...ana, officeName: `Twin ${name} of` },
      { ...ana, officeName: 'T%' },
      { ...ana, source: of('a'), officeSourceKey: '9' },
      { ...ana, officeSourceKey: '1' },
      { ...ana, officeSource: of('1'), officeName: `Twin ${name} of three` },
    ];
    const { results } = await caller.imports.agents({ records, isAtomic: false });
    expect(results.map(({ error }) => error && fieldErrorsOf(error))).toEqual([
      ['#/records/0/officeName ambiguous'],
      ['#/records/1/officeName not_found'],
      ['#/records/2/officeName not_found'],
      ['#/records/3/officeSourceKey not_found'],
      ['#/records/4/source required'],
      ['#/records/5/officeName ambiguous'],
    ]);
  });

  it('must be active for those who arrive, and not for those who are there', async () => {
    const { of, name } = newSystem();
    const { results } = await caller.imports.offices({ records: [{ name, source: of('o') }] });
    const there = { ...ana, source: of('there'), officeSourceKey: 'o' };
    await caller.imports.agents({ records: [there, { ...ana, source: of('mover') }] });
    await caller.offices.deactivate({ id: results[0]?.id ?? '' });
    const records = [
      { ...there, bio: 'x' },
      { ...ana, source: of('mover'), officeSourceKey: 'o' },
      { ...ana, source: of('new'), officeName: name },
    ];
    expect(await wrongIn(caller.imports.agents({ mode: 'upsert', records }))).toEqual([
      'office_inactive #/records/1/officeSourceKey inactive',
      'office_inactive #/records/2/officeName inactive',
    ]);
    const response = await caller.imports.agents({ mode: 'upsert', records, isAtomic: false });
    expect(response).toMatchObject({ updated: 1, errors: 2 });
  });
});

describe('the main office of an office', () => {
  const office = (of: (key: string) => object, key: string, main?: string): OfficeRecord =>
    ({ name: key, source: of(key), ...(main && { mainOfficeSourceKey: main }) }) as OfficeRecord;

  it('may be in the same call, before or after its branches, or there already', async () => {
    const { of, name } = newSystem();
    await caller.imports.offices({ records: [office(of, 'old')] });
    const records = [
      office(of, 'c', 'b'),
      office(of, 'b', 'a'),
      office(of, 'a', 'old'),
      office(of, 'd', 'a'),
    ];
    expect(await caller.imports.offices({ records })).toMatchObject({ created: 4 });
    const { items } = await caller.offices.list({ sourceName: name });
    const keyOf = new Map(items.map(({ id, source }) => [id, source?.key]));
    const mains = items.map(({ source, mainOfficeId }) => [source?.key, keyOf.get(mainOfficeId ?? '')]);
    expect(Object.fromEntries(mains)).toEqual({ old: undefined, a: 'old', b: 'a', c: 'b', d: 'a' });
    const turned = [office(of, 'old', 'c'), { ...office(of, 'a'), mainOfficeSource: null }];
    expect(await caller.imports.offices({ mode: 'upsert', records: turned })).toMatchObject({ updated: 2 });
  });

  it('is not below it, over any number of steps, whichever of them are new', async () => {
    const { of } = newSystem();
    await caller.imports.offices({ records: [office(of, 'a'), office(of, 'b', 'a'), office(of, 'c', 'b')] });
    const cycle = (index: number) => `office_cycle #/records/${index}/mainOfficeSourceKey cycle`;
    const asked = (records: OfficeRecord[]) => wrongIn(caller.imports.offices({ mode: 'upsert', records }));
    expect(await asked([office(of, 'a', 'c')])).toEqual([cycle(0)]);
    expect(await asked([office(of, 'x', 'x')])).toEqual([cycle(0)]);
    expect(await asked([office(of, 'x', 'y'), office(of, 'y', 'z'), office(of, 'z', 'x')])).toEqual(
      [0, 1, 2].map(cycle),
    );
    expect(await asked([office(of, 'x', 'c'), office(of, 'a', 'x'), office(of, 'v', 'a')])).toEqual([
      cycle(0),
      cycle(1),
    ]);
  });

  it('is rejected with its branches if the import is not atomic', async () => {
    const { of, name } = newSystem();
    const records = [
      office(of, 'c', 'b'),
      office(of, 'b', 'a'),
      { ...office(of, 'a'), brokerAgentId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' },
      office(of, 'd'),
    ];
    const { results } = await caller.imports.offices({ records, isAtomic: false });
    expect(results.map(({ error }) => error?.errors[0]?.code)).toEqual([
      'rejected',
      'rejected',
      'not_found',
      undefined,
    ]);
    expect((await caller.offices.list({ sourceName: name })).items.length).toBe(1);
    expect(await wrongIn(caller.imports.offices({ records: records.slice(0, 3) }))).toEqual([
      'reference_not_found #/records/2/brokerAgentId not_found',
    ]);
  });
});
