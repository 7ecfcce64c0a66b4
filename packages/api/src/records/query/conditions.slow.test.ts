import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { condition, fieldsOfType, term } from '../../../test/support/query/query-arbitraries.ts';
import { expectedRecords } from '../../../test/support/query/query-reference.ts';
import { type QueryScene, queryScene } from '../../../test/support/query/query-scene.ts';
import { queryFields } from '../../query.ts';
import type { Condition } from './condition.ts';
import type { QueryFieldType } from './queried.ts';

let scene: QueryScene;
beforeAll(async () => {
  scene = await queryScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const resources = ['offices', 'agents'] as const;

/** The rows of a condition are exactly those of the reference, and are the records that the API shows. */
async function checkRows(resource: (typeof resources)[number], where: Condition): Promise<number> {
  const { items, total } = await scene.page({
    resource,
    where,
    orderBy: [],
    limit: 1000,
    includeTotal: true,
  });
  const types = queryFields[resource];
  const expected = expectedRecords(scene.records[resource], { where, orderBy: [], types });
  expect(items).toEqual(expected);
  expect(total).toBe(expected.length);
  return expected.length;
}

const cases = resources.flatMap((resource) =>
  [...new Set(Object.values(queryFields[resource]).map(({ type }) => type))].map(
    (type): [(typeof resources)[number], QueryFieldType] => [resource, type],
  ),
);

describe('a condition', () => {
  it.each(cases)(
    'on %s, of one field of the type %s, is met by exactly the rows that OData says',
    async (resource, type) => {
      expect(fieldsOfType(resource, type).length).toBeGreaterThan(0);
      let found = 0;
      await fc.assert(
        fc.asyncProperty(term(resource, scene.records[resource], type), async (where) => {
          found += await checkRows(resource, where);
        }),
        { numRuns: 150 },
      );
      expect(found).toBeGreaterThan(100);
    },
  );

  it.each(resources)('on %s, of any terms, is met by exactly the rows that OData says', async (resource) => {
    await fc.assert(
      fc.asyncProperty(condition(resource, scene.records[resource]), async (where) => {
        await checkRows(resource, where);
      }),
      { numRuns: 200 },
    );
  });

  it('can name every scalar field of a record and its lists of texts', async () => {
    for (const resource of resources) {
      const structured = new Set([
        'licenses',
        'address',
        'mailingAddress',
        'source',
        'affiliations',
        'metadata',
        'scheduledChanges',
      ]);
      const scalar = Object.keys(scene.records[resource][0] ?? {}).filter((name) => !structured.has(name));
      const paths = Object.keys(queryFields[resource]).filter((path) => !/[.[]/.test(path));
      expect(paths.sort()).toEqual(scalar.sort());
    }
  });
});

describe('null', () => {
  const compare = (comparison: 'eq' | 'ne' | 'gt' | 'ge', value: string | null): Condition => ({
    kind: 'compare',
    field: 'title',
    comparison,
    value,
  });
  const count = (where: Condition) => checkRows('agents', where);
  const sizes = async () => {
    const all = scene.records.agents.length;
    return { all, empty: await count(compare('eq', null)) };
  };

  it('is equal to null alone, and not equal to every value', async () => {
    const { all, empty } = await sizes();
    expect(empty).toBeGreaterThan(0);
    expect(await count(compare('ne', null))).toBe(all - empty);
    const isA = await count(compare('eq', 'a'));
    expect(isA).toBeGreaterThan(0);
    expect(await count(compare('ne', 'a'))).toBe(all - isA);
  });

  it('is neither above nor below a value, so that not above is true', async () => {
    const { empty } = await sizes();
    const above: Condition = { kind: 'and', parts: [compare('gt', ''), compare('eq', null)] };
    expect(await count(above)).toBe(0);
    const notAbove: Condition = {
      kind: 'and',
      parts: [{ kind: 'not', part: compare('gt', '') }, compare('eq', null)],
    };
    expect(await count(notAbove)).toBe(empty);
    expect(await count(compare('ge', null))).toBe(empty);
  });

  it('is what a function of null is, and so is its negation', async () => {
    const { empty } = await sizes();
    const contains: Condition = { kind: 'text', field: 'title', function: 'contains', value: '' };
    const isEmpty = compare('eq', null);
    for (const part of [contains, { kind: 'not', part: contains } as const]) {
      expect(await count({ kind: 'and', parts: [part, isEmpty] })).toBe(0);
      expect(await count({ kind: 'or', parts: [part, isEmpty] })).toBeGreaterThanOrEqual(empty);
    }
  });
});
