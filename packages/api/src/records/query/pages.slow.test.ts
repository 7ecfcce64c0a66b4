import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { condition, order } from '../../../test/support/query/query-arbitraries.ts';
import { expectedRecords, type Json } from '../../../test/support/query/query-reference.ts';
import { type QueryScene, queryScene } from '../../../test/support/query/query-scene.ts';
import { errorCodeOf, rejected } from '../../../test/support/rejected.ts';
import { queryFields } from '../../query.ts';
import type { RecordQuery, RecordQueryPage } from './condition.ts';

let scene: QueryScene;
beforeAll(async () => {
  scene = await queryScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const idsOf = (items: readonly Json[]) => items.map(({ id }) => id);

/** All pages of a query, each after the cursor of the one before. */
async function walk(query: RecordQuery): Promise<RecordQueryPage[]> {
  const pages = [await scene.page(query)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await scene.page({ ...query, cursor }));
    expect(pages.length).toBeLessThan(100);
  }
  return pages;
}

/** A query of any condition, order and size. */
const anyQuery = fc.constantFrom('offices' as const, 'agents' as const).chain((resource) =>
  fc.record(
    {
      resource: fc.constant(resource),
      where: condition(resource, scene.records[resource]),
      orderBy: order(resource),
      limit: fc.integer({ min: 1, max: 30 }),
      skip: fc.integer({ min: 0, max: 40 }),
      includeTotal: fc.boolean(),
    },
    { requiredKeys: ['resource', 'orderBy', 'limit'] },
  ),
);

describe('the pages of a query', () => {
  it('are the whole sorted list without the rows that are skipped, whatever the condition, the order and the size', async () => {
    let pageCount = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const { resource, where, orderBy, skip = 0, includeTotal } = query;
        const types = queryFields[resource];
        const whole = idsOf(expectedRecords(scene.records[resource], { where, orderBy, types }));
        const pages = await walk(query as RecordQuery);
        expect(pages.flatMap(({ items }) => idsOf(items))).toEqual(whole.slice(skip));
        expect(pages.slice(0, -1).every(({ items }) => items.length === query.limit)).toBe(true);
        for (const { total } of pages) expect(total).toBe(includeTotal === true ? whole.length : undefined);
        pageCount += pages.length;
      }),
      { numRuns: 150 },
    );
    expect(pageCount).toBeGreaterThan(180);
  });

  it('have null as the lowest value, in both directions', async () => {
    for (const isDescending of [false, true]) {
      const orderBy = [{ field: 'transferredAt', isDescending }];
      const pages = await walk({ resource: 'agents', orderBy, limit: 7 });
      const isNull = pages.flatMap(({ items }) => items.map(({ transferredAt }) => transferredAt === null));
      expect(new Set(isNull).size).toBe(2);
      expect(isNull).toEqual(
        isNull.toSorted((one, other) => (Number(other) - Number(one)) * (isDescending ? -1 : 1)),
      );
    }
  });

  it('have every record that stays exactly once, while others come and go', async () => {
    const query: RecordQuery = {
      resource: 'offices',
      orderBy: [{ field: 'updatedAt', isDescending: true }],
      limit: 4,
    };
    const stayed = idsOf((await scene.page({ ...query, limit: 1000 })).items);
    const seen: unknown[] = [];
    const temporary: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await scene.page({ ...query, ...(cursor !== undefined && { cursor }) });
      seen.push(...idsOf(page.items));
      temporary.push((await scene.caller.offices.create({ name: 'Temporary' })).id);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    for (const id of temporary) await scene.caller.offices.delete({ id });
    expect(seen).toEqual(stayed);
    expect(temporary.length).toBeGreaterThan(5);
  });
});

describe('a cursor', () => {
  const query: RecordQuery = {
    resource: 'agents',
    where: { kind: 'compare', field: 'status', comparison: 'eq', value: 'active' },
    orderBy: [{ field: 'officeId', isDescending: false }],
    limit: 2,
  };

  it('belongs to the condition, the order and the resource, and to any size of the page', async () => {
    const { nextCursor = '' } = await scene.page(query);
    const others: Partial<RecordQuery>[] = [
      { where: { kind: 'compare', field: 'status', comparison: 'ne', value: 'active' } },
      { orderBy: [{ field: 'officeId', isDescending: true }] },
      { orderBy: [] },
      { resource: 'offices', orderBy: [] },
    ];
    for (const other of others) {
      const error = await rejected(scene.page({ ...query, ...other, cursor: nextCursor }));
      expect(errorCodeOf(error)).toBe('cursor_mismatch');
    }
    const { where: _, ...all } = query;
    const error = await rejected(scene.page({ ...all, cursor: nextCursor }));
    expect(errorCodeOf(error)).toBe('cursor_mismatch');
    expect((await scene.page({ ...query, limit: 50, cursor: nextCursor })).items.length).toBeGreaterThan(2);
  });

  it('is invalid_cursor when it is anything else, also with values of other types', async () => {
    const { nextCursor = '' } = await scene.page(query);
    const [value, id, binding] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[];
    const [officeId, agentId] = JSON.parse(String(value)) as unknown[];
    const forged = [
      ...[[], [officeId], [agentId, 7], [{}, agentId], ['x', agentId], [officeId, null], [true, agentId]],
      ...[[officeId, agentId, agentId], null, 'x', { length: 2 }],
    ].map((position) => [JSON.stringify(position), id, binding]);
    for (const cursor of [
      ...forged,
      ['not JSON', id, binding],
      [value, 'x', binding],
      [value, id, binding, 'before'],
    ]) {
      const text = Buffer.from(JSON.stringify(cursor)).toString('base64url');
      expect(errorCodeOf(await rejected(scene.page({ ...query, cursor: text })))).toBe('invalid_cursor');
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (cursor) => {
        expect(errorCodeOf(await rejected(scene.page({ ...query, cursor })))).toBe('invalid_cursor');
      }),
      { numRuns: 50 },
    );
  });
});
