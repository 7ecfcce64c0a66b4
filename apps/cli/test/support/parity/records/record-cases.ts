import type { ResourceName } from '@roster/client';
import { records } from '@roster/contract/records';
import type { Input } from '../../../../src/options/fields.ts';
import { type CasesOf, fewChoices, idCases, onlyKnown, type ParityCase, UNKNOWN } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { bulkCases } from '../job-cases.ts';
import { duplicateCases } from './duplicate-cases.ts';
import { historyCases } from './history-cases.ts';
import { mergeCases } from './merge-cases.ts';
import { type ResourceFixtures, resourceFixtures, staleCase } from './record-fixtures.ts';
import { transitionCases } from './transition-cases.ts';

/** A query with a cursor of a list sorted by time. */
async function withCursor(
  fixtures: Fixtures,
  { resource, make }: ResourceFixtures,
  query: Input = {},
): Promise<Input> {
  await make(fixtures);
  await make(fixtures);
  const { nextCursor } = await fixtures.client[resource].list.query({
    ...query,
    limit: 1,
    sort: 'createdAt',
  });
  return { ...query, sort: 'createdAt', cursor: nextCursor };
}

function listCases(fixture: ResourceFixtures): CasesOf[string] {
  const rejected = (title: string, input: Input, except?: ParityCase['except']): ParityCase => ({
    title,
    errorCode: 'invalid_parameter',
    input: () => input,
    ...(except && { except }),
  });
  return [
    { title: 'a page', input: async (fixtures) => ({ ids: [(await fixture.make(fixtures)).id] }) },
    {
      title: 'every kind of parameter',
      input: async (fixtures) => {
        const query = {
          status: ['active', 'inactive'],
          createdSince: '2026-01-31T08:00:00+01:00',
          updatedSince: '-P30D',
        };
        return { ...(await withCursor(fixtures, fixture, query)), limit: 2, includeTotal: true };
      },
    },
    {
      title: 'a page before another, with what is empty and what is not',
      input: async (fixtures) => {
        const query = {
          empty: ['email' as const, 'phone' as const],
          notEmpty: ['phone' as const, 'mlsId' as const],
          sort: 'updatedAt' as const,
        };
        for (const phone of ['+351210000001', '+351210000002']) {
          const { id } = await fixture.make(fixtures);
          await fixtures.client[fixture.resource].update.mutate({ id, email: null, phone });
        }
        const { list } = fixtures.client[fixture.resource];
        const { nextCursor } = await list.query({ ...query, limit: 1 });
        const { prevCursor } = await list.query({ ...query, limit: 1, cursor: nextCursor });
        return { ...query, cursor: prevCursor };
      },
    },
    {
      title: 'a page that starts at a time',
      input: () => ({ startAt: '2026-01-31T08:00:00Z', sort: 'createdAt', limit: 1 }),
    },
    rejected('a start that is not a time', { startAt: 'Reis' }),
    rejected('a field that cannot be empty', { empty: ['id'] }, fewChoices),
    {
      title: 'a search with its highlights, by relevance',
      input: async (fixtures) => {
        await fixture.make(fixtures);
        return {
          q: String(Object.values(fixture.required)[0]).slice(0, 3),
          sort: 'relevance',
          highlight: true,
          limit: 2,
        };
      },
    },
    rejected('relevance without a search', { sort: 'relevance' }),
    { title: 'a search that finds nothing', input: () => ({ q: 'none 東京', country: ['PT'] }) },
    rejected('a limit of zero', { limit: 0 }),
    rejected('a limit that is not a number', { limit: 'many' }),
    rejected('a limit that is not an integer', { limit: 1.5 }),
    rejected('a limit above the greatest', { limit: 201 }),
    rejected('a limit out of range', { limit: '-99999999999999999999' }),
    rejected('an invalid sort', { sort: 'height' }, fewChoices),
    rejected('an invalid status next to a valid one', { status: ['active', 'gone'] }, fewChoices),
    rejected('a search with NUL', { q: 'a\0b' }),
    rejected('a search that is too long', { q: 'x'.repeat(201) }),
    rejected('several errors at once', {
      limit: -1,
      q: '',
      ids: [UNKNOWN, ''],
      createdBefore: '2026-02-30',
    }),
    rejected('an invalid time', { updatedSince: 'yesterday' }),
    rejected('an invalid id', { ids: ['x', UNKNOWN] }),
    rejected('an unknown parameter', { nothing: 'x' }, onlyKnown),
    rejected('an invalid boolean', { includeTotal: 'maybe' }, { cli: 'a switch takes no value' }),
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ ...(await withCursor(fixtures, fixture)), sort: '-updatedAt' }),
    },
  ];
}

/** Licences, of a resource whose records have some. */
function licensedOf({ resource }: ResourceFixtures) {
  const hasLicenses = records[resource].fields.some(({ name }) => name === 'licenses');
  return (licenses: unknown): Input => (hasLicenses ? { licenses } : {});
}

function createCases(fixture: ResourceFixtures): CasesOf[string] {
  const { resource, required, make } = fixture;
  const licensed = licensedOf(fixture);
  const rejected = (title: string, input: Input): ParityCase => ({
    title,
    errorCode: 'validation_failed',
    input: () => input,
  });
  return [
    { title: 'the minimum', input: () => required },
    {
      title: 'objects, lists and maps',
      input: ({ unique }) => ({
        ...required,
        email: 'Ana@Atlantico.EXAMPLE'.replace('Ana', `ana${unique()}`),
        website: 'https://例え.example/道',
        address: { city: '東京', country: 'JP' },
        ...licensed([{ number: 'A,1', region: '11' }, { number: 'B' }]),
        metadata: { costCentre: '47=11', ключ: 'значение' },
        source: { name: 'MLS', key: `k ${unique()}` },
      }),
    },
    rejected('an empty body', {}),
    rejected('empty text', Object.fromEntries(Object.keys(required).map((name) => [name, ' ']))),
    rejected('wrong types', { ...required, phone: 7, address: 'Porto', ...licensed({}), metadata: { a: 1 } }),
    rejected(
      'null for required fields',
      Object.fromEntries(Object.keys(required).map((name) => [name, null])),
    ),
    rejected('unknown fields', { ...required, nothing: 1, 'a/b~c': 2, address: { planet: 'Earth' } }),
    rejected('read-only fields', { ...required, id: undefined, status: 'inactive', version: 9 }),
    rejected('invalid values', {
      ...required,
      email: 'none',
      website: 'ftp://x',
      address: { country: 'XX' },
      ...licensed([{}]),
      mlsId: 'x'.repeat(51),
    }),
    rejected('half a source', { ...required, source: { name: 'MLS' } }),
    {
      title: 'a source that is taken',
      errorCode: 'source_taken',
      input: async (fixtures) => {
        const source = { name: 'MLS', key: `taken ${fixtures.unique()}` };
        const { id } = await make(fixtures);
        await fixtures.client[resource].update.mutate({ id, source });
        return { ...required, source };
      },
    },
  ];
}

function updateCases(fixture: ResourceFixtures): CasesOf[string] {
  const { make } = fixture;
  const changing = (title: string, changes: Input, errorCode?: ParityCase['errorCode']): ParityCase => ({
    title,
    ...(errorCode && { errorCode }),
    input: async (fixtures) => ({ id: (await make(fixtures)).id, ...changes }),
  });
  return [
    {
      title: 'some fields of the current version',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, mlsId: 'New', phone: null, ifVersion: 1 }),
    },
    changing('no changes', { phone: null, metadata: {} }),
    {
      title: 'what was read, with a change',
      input: async (fixtures) => {
        const { id } = await make(fixtures);
        const record = (await fixtures.client[fixture.resource].get.query({ id })) as Input;
        return { ...record, mlsId: 'Sent back' };
      },
    },
    {
      title: 'read-only fields that were changed',
      errorCode: 'validation_failed',
      input: async (fixtures) => {
        const { id } = await make(fixtures);
        const record = (await fixtures.client[fixture.resource].get.query({ id })) as Input;
        return { ...record, version: 9, status: 'inactive', createdAt: '2020-01-01T00:00:00.000Z' };
      },
    },
    changing('parts of objects, lists and maps', {
      address: { city: 'Porto', line1: null },
      ...licensedOf(fixture)([{ number: 'Z' }]),
      metadata: { a: '1', b: null },
    }),
    changing('wrong types', { mlsId: 7, metadata: [] }, 'validation_failed'),
    changing('unknown fields', { nothing: true, updatedAt: 'x' }, 'validation_failed'),
    changing(
      'null for required fields',
      Object.fromEntries(Object.keys(fixture.required).map((n) => [n, null])),
      'validation_failed',
    ),
    staleCase(fixture, { mlsId: 'Late' }),
    {
      title: 'a source that is taken',
      errorCode: 'source_taken',
      input: async (fixtures) => {
        const source = { name: 'MLS', key: `taken ${fixtures.unique()}` };
        const [one, other] = [await make(fixtures), await make(fixtures)];
        await fixtures.client[fixture.resource].update.mutate({ id: one.id, source });
        return { id: other.id, source };
      },
    },
    ...idCases({ mlsId: 'x' }),
  ];
}

/** The cases that all resources share. */
export function recordCases(resource: ResourceName): CasesOf {
  const fixture = resourceFixtures[resource];
  return {
    list: listCases(fixture),
    create: createCases(fixture),
    update: updateCases(fixture),
    ...transitionCases(fixture),
    ...historyCases(fixture),
    ...duplicateCases(fixture),
    ...mergeCases(fixture),
    bulk: bulkCases(),
  };
}
