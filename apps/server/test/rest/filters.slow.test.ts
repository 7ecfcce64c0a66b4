import type { Agent, Office } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Body,
  bodyOf,
  type CollectionName,
  collections,
  directoryOf,
  hasField,
  knownFields,
  type Page,
} from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault } from '../support/problems.ts';

type Row = Office & Agent;
interface Filter {
  query: string;
  matches: (row: Row) => boolean;
}

let now = new Date('2026-01-31T08:00:00.000Z');
let server: TestServer;
/** The records of each resource, and the second in which the first of them was created. */
const seeded = new Map<CollectionName, { rows: Row[]; start: number }>();
const rowsOf = (collection: CollectionName): Row[] => seeded.get(collection)?.rows ?? [];

const SECOND = 1_000;
const at = (seconds: number) =>
  new Date(Date.parse('2026-01-31T08:00:00.000Z') + seconds * SECOND).toISOString();
/** The same as a duration from the clock of the server. */
const ago = (seconds: number) => `-PT${(now.getTime() - Date.parse(at(seconds))) / SECOND}S`;
const later = () => {
  now = new Date(now.getTime() + SECOND);
};

/** Twelve records, one a second, whose fields repeat with periods that share no factor. */
async function seed(collection: CollectionName, fields: (index: number) => Body): Promise<void> {
  const { create, put, patch, list } = directoryOf(server);
  const start = (now.getTime() - Date.parse(at(0))) / SECOND;
  for (let index = 0; index < 12; index += 1) {
    later();
    const given = {
      email: `Desk.${index}@Lisboa.example`,
      mlsId: `LX-${index % 5}`,
      phone: index % 4 === 0 ? '+351210000042' : null,
      address: {
        region: ['11', '13', null][index % 3],
        country: ['PT', 'ES'][index % 2],
        city: ['Lisboa', 'Évora'][index % 2],
      },
      licenses: [{ number: `AMI-${index % 4}` }, { number: `B-${index}` }],
      source: { name: ['North', 'South', 'East', 'West'][Math.floor(index / 3)], key: `K-${index % 3}` },
      ...fields(index),
    };
    const { id } = await create(collection, knownFields(collection, given));
    if (index % 4 === 1) await put(collection, id, 'deactivate');
    if (index % 5 === 2) await patch(collection, id, { metadata: { desk: '9' } });
  }
  seeded.set(collection, { rows: (await list(collection, 'limit=200')).items as Row[], start });
}

beforeAll(async () => {
  server = await startTestServer({ now: () => now });
  const [north, south] = await Promise.all([directoryOf(server).office(), directoryOf(server).office()]);
  for (const collection of collections)
    await seed(collection, (index) => ({
      officeId: [north.id, south.id, null][index % 3],
      mainOfficeId: [north.id, south.id, null][index % 3],
      [collection === 'agents' ? 'lastName' : 'name']: `Silva ${index % 3}`,
    }));
});
afterAll(() => server[Symbol.asyncDispose]());

const one = (name: string, value: string, matches: Filter['matches']): Filter => ({
  query: `${name}=${encodeURIComponent(value)}`,
  matches,
});
/** A parameter given several times: any of the values. */
const any = (name: string, values: string[], read: (row: Row) => string | null): Filter => ({
  query: values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&'),
  matches: (row) => values.includes(`${read(row)}`),
});
/** Filters that leave out what others match. */
const except = ({ query, matches }: Filter): Filter => ({
  query: `${query}&not=${namesOf(query)[0]}`,
  matches: (row) => !matches(row),
});
const namesOf = (query: string) => [...new URLSearchParams(query).keys()];
const folded = (text: string | null) => `${text}`.toLowerCase();

const licenseFilters: Filter[] = [
  one('licenseNumber', 'AMI-2', ({ licenses }) => licenses.some(({ number }) => number === 'AMI-2')),
  {
    query: 'licenseNumber=AMI-0&licenseNumber=B-7',
    matches: ({ licenses }) => licenses.some(({ number }) => number === 'AMI-0' || number === 'B-7'),
  },
];

/** The filters by the office that a record belongs to. */
function officeFilters(collection: CollectionName): Filter[] {
  const parent = (['mainOfficeId', 'officeId'] as const).find((name) => hasField(collection, name));
  if (parent === undefined) return [];
  const parents = [
    ...new Set(
      rowsOf(collection)
        .map((row) => row[parent])
        .filter((id) => id !== null),
    ),
  ];
  return [
    any(parent, parents.slice(0, 1), (row) => row[parent]),
    any(parent, parents, (row) => row[parent]),
    one('empty', parent, (row) => row[parent] === null),
    {
      query: `notEmpty=phone&notEmpty=${parent}`,
      matches: (row) => row.phone !== null || row[parent] !== null,
    },
  ];
}

/** The filters that only lists of records with a field have. */
const fieldFilters: Record<string, Filter[]> = {
  email: [
    any('email', ['DESK.3@LISBOA.EXAMPLE', 'desk.4@lisboa.example'].map(folded), ({ email }) =>
      folded(email),
    ),
    one('email', 'DESK.5@lisboa.EXAMPLE', ({ email }) => email === 'Desk.5@Lisboa.example'),
  ],
  mlsId: [any('mlsId', ['LX-1', 'LX-2', 'lx-3'], ({ mlsId }) => mlsId)],
  phone: [
    one('empty', 'phone', ({ phone }) => phone === null),
    one('notEmpty', 'phone', ({ phone }) => phone !== null),
  ],
  address: [
    one('city', 'éVORA', ({ address }) => address?.city === 'Évora'),
    {
      query: 'city=lisboa&city=PORTO',
      matches: ({ address }) => address?.city === 'Lisboa',
    },
    any('region', ['11'], ({ address }) => address?.region ?? null),
    any('region', ['11', '13'], ({ address }) => address?.region ?? null),
    any('country', ['ES'], ({ address }) => address?.country ?? null),
    one('q', 'éVORA', ({ address }) => address?.city === 'Évora'),
  ],
  licenses: licenseFilters,
};

/** Of each name that `not` may have, one filter. */
function exceptions(filters: Filter[]): Filter[] {
  const positive = /^(?:empty|notEmpty|q|ids|[a-z]+(?:Since|Before))=/;
  const byName = new Map(
    filters.filter(({ query }) => !positive.test(query)).map((filter) => [namesOf(filter.query)[0], filter]),
  );
  return [...byName.values()].map(except);
}

function filtersOf(collection: CollectionName): Filter[] {
  const stated = statedFilters(collection);
  return [...stated, ...exceptions(stated)];
}

function statedFilters(collection: CollectionName): Filter[] {
  const { rows = [], start = 0 } = seeded.get(collection) ?? {};
  const ids = rows.slice(2, 5).map(({ id }) => id);
  return [
    any('status', ['inactive'], ({ status }) => status),
    any('ids', ids, ({ id }) => id),
    ...officeFilters(collection),
    ...Object.entries(fieldFilters).flatMap(([name, filters]) => (hasField(collection, name) ? filters : [])),
    any('sourceName', ['South'], ({ source }) => source?.name ?? null),
    any('sourceKey', ['K-1', 'k-2'], ({ source }) => source?.key ?? null),
    one('createdSince', at(start + 6), ({ createdAt }) => createdAt >= at(start + 6)),
    one('createdSince', ago(start + 6), ({ createdAt }) => createdAt >= at(start + 6)),
    one('createdBefore', ago(start + 6), ({ createdAt }) => createdAt < at(start + 6)),
    one('createdBefore', at(start + 6), ({ createdAt }) => createdAt < at(start + 6)),
    one('updatedSince', at(start + 3), ({ updatedAt }) => updatedAt >= at(start + 3)),
    one('updatedBefore', at(start + 3), ({ updatedAt }) => updatedAt < at(start + 3)),
    one(
      'deactivatedSince',
      at(start + 6),
      ({ deactivatedAt }) => deactivatedAt !== null && deactivatedAt >= at(start + 6),
    ),
  ];
}

async function found(
  collection: CollectionName,
  query: string,
): Promise<{ ids: string[]; total: number | undefined }> {
  const { items, total } = await directoryOf(server).list(collection, `${query}&limit=200&includeTotal=true`);
  return { ids: items.map(({ id }) => id), total };
}

const expected = (collection: CollectionName, ...filters: Filter[]) =>
  rowsOf(collection)
    .filter((row) => filters.every(({ matches }) => matches(row)))
    .map(({ id }) => id);

describe.each(collections)('filters of %s', (collection) => {
  it('without any, both states are listed, newest first', async () => {
    const ids = rowsOf(collection).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(rowsOf(collection).map(({ status }) => status))).toEqual(new Set(['active', 'inactive']));
    expect((await found(collection, '')).ids).toEqual(ids);
  });

  it('each alone finds exactly what it says', async () => {
    for (const filter of filtersOf(collection)) {
      const ids = expected(collection, filter);
      expect(ids.length, filter.query).toBeGreaterThan(0);
      expect(ids.length, filter.query).toBeLessThan(rowsOf(collection).length);
      expect(await found(collection, filter.query), filter.query).toEqual({ ids, total: ids.length });
    }
  });

  it('any two together find what both find', async () => {
    const filters = filtersOf(collection);
    const pairs = filters.flatMap((first, index) =>
      filters.slice(index + 1).map((second) => [first, second] as const),
    );
    let matched = 0;
    for (const [first, second] of pairs) {
      const names = namesOf(first.query).filter((name) => name !== 'not');
      if (namesOf(second.query).some((name) => names.includes(name))) continue;
      const query = `${first.query}&${second.query}`;
      const ids = expected(collection, first, second);
      matched += ids.length;
      expect(await found(collection, query), query).toEqual({ ids, total: ids.length });
    }
    expect(matched).toBeGreaterThan(pairs.length);
  });

  it('each selects the same for a change of many records, and is kept by a view', async () => {
    for (const { query, ...filter } of filtersOf(collection)) {
      const given = new URLSearchParams(query);
      const values = Object.fromEntries(
        [...given.keys()].map((key) => [
          key,
          given.getAll(key).length === 1 ? given.get(key) : given.getAll(key),
        ]),
      );
      const bulk = { filter: values, change: { type: 'reactivate' }, dryRun: true };
      const preview = await bodyOf<{ count: number }>(
        await server.request('POST', `/${collection}/bulk`, bulk),
      );
      expect(preview.count, query).toBe(rowsOf(collection).filter(filter.matches).length);
      const view = { name: query.slice(0, 100), resource: collection, query: values };
      expect((await server.request('POST', '/views', view)).status, query).toBe(201);
    }
  });

  it('times may have an offset', async () => {
    const [{ createdAt } = { createdAt: '' }] = rowsOf(collection);
    const local = new Date(Date.parse(createdAt) + 5.5 * 3_600 * SECOND).toISOString().replace('Z', '+05:30');
    const { ids } = await found(collection, `createdSince=${encodeURIComponent(local)}`);
    expect(ids).toEqual([rowsOf(collection)[0]?.id]);
  });

  it('take as many ids as a URL holds', async () => {
    const others = Array.from(
      { length: 189 },
      (_, index) => `01980a3c-5f1e-7c3a-9b1d-${String(index).padStart(12, '0')}`,
    );
    const wanted = rowsOf(collection)[3]?.id;
    const { ids } = await found(collection, [...others, wanted].map((id) => `ids=${id}`).join('&'));
    expect(ids).toEqual([wanted]);
  });
});

type Misuse = [query: string, parameter: string, code: string];
const misuses: Misuse[] = [
  ['limit=0', 'limit', 'out_of_range'],
  ['limit=-1', 'limit', 'out_of_range'],
  ['limit=x', 'limit', 'invalid_type'],
  ['limit=1.5', 'limit', 'invalid_type'],
  ['limit=1e2', 'limit', 'invalid_type'],
  ['limit=', 'limit', 'invalid_type'],
  ['limit=1&limit=2', 'limit', 'invalid_type'],
  ['status=gone', 'status', 'invalid_choice'],
  ['status=active&status=gone', 'status', 'invalid_choice'],
  ['sort=bio', 'sort', 'invalid_choice'],
  ['sort=createdAt&sort=name', 'sort', 'invalid_choice'],
  ['sort=--createdAt', 'sort', 'invalid_choice'],
  ['includeTotal=yes', 'includeTotal', 'invalid_type'],
  ['includeTotal=1', 'includeTotal', 'invalid_type'],
  ['ids=17', 'ids', 'invalid_format'],
  ['createdSince=yesterday', 'createdSince', 'invalid_format'],
  ['createdSince=2026-01-31', 'createdSince', 'invalid_format'],
  ['createdSince=P1', 'createdSince', 'invalid_format'],
  ['createdSince=P9999Y', 'createdSince', 'out_of_range'],
  ['createdSince=2026-02-30T00:00:00Z', 'createdSince', 'invalid_format'],
  ['updatedBefore=0000-01-01T00:00:00Z', 'updatedBefore', 'out_of_range'],
  ['q=', 'q', 'too_short'],
  ['q=+', 'q', 'too_short'],
  ['q=%00', 'q', 'invalid_character'],
  ['startAt=', 'startAt', 'too_short'],
  ['startAt=yesterday', 'startAt', 'invalid_format'],
  ['startAt=2026-01-31', 'startAt', 'invalid_format'],
  ['empty=', 'empty', 'invalid_choice'],
  ['empty=id', 'empty', 'invalid_choice'],
  ['notEmpty=email&notEmpty=name', 'notEmpty', 'invalid_choice'],
  ['not=status', 'not', 'not_allowed'],
  ['not=sourceName&sourceKey=1', 'not', 'not_allowed'],
  ['not=q&q=ana', 'not', 'invalid_choice'],
  ['not=createdSince&createdSince=-P1D', 'not', 'invalid_choice'],
  ['mlsId=', 'mlsId', 'too_short'],
  [`mlsId=${'x'.repeat(51)}`, 'mlsId', 'too_long'],
  ['page=2', 'page', 'unknown_parameter'],
  ['Limit=2', 'Limit', 'unknown_parameter'],
  ['limit%20=2', 'limit ', 'unknown_parameter'],
  ['offset=10', 'offset', 'unknown_parameter'],
  ['status[]=active', 'status[]', 'unknown_parameter'],
];
const misusesOf: Partial<Record<CollectionName, Misuse[]>> = {
  offices: [
    ['sort=lastName', 'sort', 'invalid_choice'],
    ['officeId=01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', 'officeId', 'unknown_parameter'],
    ['expand=office', 'expand', 'invalid_choice'],
  ],
  teams: [
    ['sort=lastName', 'sort', 'invalid_choice'],
    ['licenseNumber=x', 'licenseNumber', 'unknown_parameter'],
    ['agentId=17', 'agentId', 'invalid_format'],
    ['expand=office', 'expand', 'invalid_choice'],
  ],
  agents: [
    ['sort=name', 'sort', 'invalid_choice'],
    ['mainOfficeId=01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', 'mainOfficeId', 'unknown_parameter'],
    ['expand=agents', 'expand', 'invalid_choice'],
  ],
};

describe.each(collections)('a list of %s rejects', (collection) => {
  const known = misuses.filter(([, name]) => name !== 'mlsId' || hasField(collection, name));
  it.each([...known, ...(misusesOf[collection] ?? [])])('?%s', async (query, parameter, code) => {
    await expectFault(await server.request('GET', `/${collection}?${query}`), 'invalid_parameter', {
      parameter,
      code,
    });
  });
});

describe('expand=office', () => {
  it('embeds a summary of the office of each agent, null without an office; without expand it is absent', async () => {
    const page = await bodyOf<Page<Agent & { office?: unknown }>>(
      await server.request('GET', '/agents?expand=office'),
    );
    expect(page.items.length).toBe(12);
    for (const { officeId, office } of page.items) {
      if (officeId === null) expect(office).toBeNull();
      else {
        const { id, name, status, branchType, mlsId, phone, email, timeZone } = await directoryOf(server).get(
          'offices',
          officeId,
        );
        expect(office).toEqual({ id, name, status, branchType, mlsId, phone, email, timeZone });
      }
    }
    expect(rowsOf('agents').every((agent) => !('office' in agent))).toBe(true);
  });
});

it.each(collections)('what is empty is found in each field that can be: %s', async (collection) => {
  const { create } = directoryOf(server);
  const { id: bare } = await create(collection);
  const agent = await directoryOf(server).agent();
  const office = await directoryOf(server).office();
  const full = knownFields(collection, {
    email: 'full@x.example',
    phone: '+351210000001',
    mlsId: 'F',
    licenses: [{ number: 'F' }],
    address: { city: 'F' },
    source: { name: 'F', key: collection },
    officeId: office.id,
    mainOfficeId: office.id,
    brokerAgentId: agent.id,
    managerAgentId: agent.id,
  });
  const { id } = await create(collection, {
    ...full,
    ...(collection === 'agents' && { email: 'f@y.example' }),
  });
  for (const field of Object.keys(full)) {
    const query = (name: string) => `ids=${bare}&ids=${id}&${name}=${field}`;
    expect((await found(collection, query('empty'))).ids, field).toEqual([bare]);
    expect((await found(collection, query('notEmpty'))).ids, field).toEqual([id]);
  }
});
