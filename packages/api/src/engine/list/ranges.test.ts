import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { type ResourceName, resourceNames } from '../../directory/registry.ts';
import { operations } from '../../index.ts';

/** The field that a filter compares, by the name of the filter without `Since` and `Before`. */
const fieldOf = {
  created: 'createdAt',
  updated: 'updatedAt',
  deactivated: 'deactivatedAt',
  licenseExpires: 'nextLicenseExpiresOn',
  effective: 'effectiveAt',
} as const;
type Row = { id: string } & Partial<Record<(typeof fieldOf)[keyof typeof fieldOf], string | null>>;

/** Every list with a filter that ends in `Since` or `Before`, and these filters. */
const ranges = operations.flatMap(({ procedure, input }) => {
  const { $ref = '', $defs = {}, ...own } = input.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  const { properties = {} } = $defs[$ref.replace('#/$defs/', '')] ?? own;
  const filters = Object.keys(properties).filter((name) => /(Since|Before)$/.test(name));
  return procedure.endsWith('.list') && filters.length > 0 ? [{ procedure, filters }] : [];
});

const START = Date.parse('2026-01-31T08:00:00.000Z');
const HOUR_MS = 3_600_000;
let now = new Date(START);
let database: TestDatabase;
let caller: Caller;
let lists: Record<string, (query: object) => Promise<{ items: Row[] }>>;

/** A record that is created and deactivated now, and whose licence, if it has any, expires on a day of that number. */
async function createRecord(resource: ResourceName, day: number): Promise<void> {
  const licenses = [{ number: 'AMI-1', expiresOn: `2027-01-0${day}` }];
  const made = {
    offices: () => caller.offices.create({ name: 'Casa', licenses }),
    agents: () => caller.agents.create({ firstName: 'Ana', lastName: 'Reis', licenses }),
    teams: () => caller.teams.create({ name: 'Equipa' }),
  };
  const { id } = await made[resource]();
  await caller[resource].deactivate({ id });
}

beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db, { now: () => now });
  lists = {
    'offices.list': (query) => caller.offices.list(query),
    'agents.list': (query) => caller.agents.list(query),
    'teams.list': (query) => caller.teams.list(query),
    'scheduledChanges.list': (query) => caller.scheduledChanges.list(query),
  };
  // Active and without a licence: nothing in the fields of which this is no value finds it.
  const office = await caller.offices.create({ name: 'Casa' });
  await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  await caller.teams.create({ name: 'Equipa' });
  for (const step of [1, 2, 3]) {
    now = new Date(START + step * HOUR_MS);
    for (const resource of resourceNames) await createRecord(resource, step);
    const effectiveAt = new Date(START + (10 + step) * HOUR_MS).toISOString();
    await caller.agents.transfer({
      id: (await caller.agents.create({ firstName: 'Rui', lastName: 'Reis' })).id,
      officeId: office.id,
      effectiveAt,
    });
  }
});
afterAll(() => database[Symbol.asyncDispose]());

it('the filters of ranges belong to the records of the directory and to scheduled changes', () => {
  expect(ranges.map(({ procedure }) => procedure)).toEqual(expect.arrayContaining(Object.keys(lists)));
  expect(Object.keys(lists)).toEqual(expect.arrayContaining(ranges.map(({ procedure }) => procedure)));
});

describe.each(ranges)('$procedure', ({ procedure, filters }) => {
  it.each(filters)('%s: finds a record at the boundary from it on, and not before it', async (filter) => {
    const isSince = filter.endsWith('Since');
    const field = fieldOf[filter.replace(/(Since|Before)$/, '') as keyof typeof fieldOf];
    const list = lists[procedure];
    if (list === undefined || field === undefined) throw new Error(`${procedure} ${filter} is not known`);
    const { items } = await list({ limit: 200 });
    const values = [...new Set(items.flatMap((row) => row[field] ?? []))].sort();
    const [, boundary = ''] = values;
    // One before it, and one after it.
    expect(values.length).toBeGreaterThanOrEqual(3);
    const isFound = (row: Row) => {
      const value = row[field] ?? undefined;
      return value !== undefined && (isSince ? value >= boundary : value < boundary);
    };
    const found = await list({ [filter]: boundary, limit: 200 });
    expect(found.items.map(({ id }) => id)).toEqual(items.filter(isFound).map(({ id }) => id));
  });
});
