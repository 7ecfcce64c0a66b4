import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf, limitedTo } from '../../../test/support/context.ts';
import { type OfficeScene, officeScene, personOf } from '../../../test/support/office-scene.ts';
import { ADMIN, type Caller } from '../../access/caller.ts';
import { readLimit } from '../../engine/office-limit.ts';
import { queryFields, queryRecords } from '../../query.ts';
import type { Condition, RecordQuery } from './condition.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  limited = await limitedTo(scene.db, [scene.offices.main]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const all = { orderBy: [], limit: 100, includeTotal: true } as const;
const page = (
  query: Omit<RecordQuery, 'orderBy' | 'limit'> & Partial<RecordQuery>,
  caller: Caller = limited,
) => queryRecords({ ...contextOf(scene.db), caller }, { ...all, ...query });
const idsOf = async (...given: Parameters<typeof page>) =>
  (await page(...given)).items.map(({ id }) => id).sort();

describe('a caller who is limited to an office', () => {
  it('gets the records that the lists have, and their number, whatever the condition', async () => {
    const caller = scene.as(limited);
    for (const resource of ['offices', 'agents'] as const) {
      const listed = await caller[resource].list({ sort: 'createdAt', includeTotal: true });
      const orderBy = [{ field: 'createdAt', isDescending: false }];
      const { items, total } = await page({ resource, orderBy });
      expect(items).toEqual(listed.items);
      expect(total).toBe(2);
      for (const field of Object.keys(queryFields[resource])) {
        const where: Condition =
          queryFields[resource][field]?.type === 'texts'
            ? {
                kind: 'or',
                parts: [
                  { kind: 'any', field },
                  { kind: 'not', part: { kind: 'any', field } },
                ],
              }
            : {
                kind: 'or',
                parts: ['eq', 'ne'].map((comparison) => ({
                  kind: 'compare',
                  field,
                  comparison,
                  value: null,
                })) as Condition[],
              };
        expect(await page({ resource, where, orderBy })).toEqual({ items, total });
      }
    }
  });

  it('finds nothing of other offices by their ids, or by those who work nowhere', async () => {
    const { offices, agents } = scene;
    const isOf = (field: string, value: string | null): Condition => ({
      kind: 'compare',
      field,
      comparison: 'eq',
      value,
    });
    expect(await idsOf({ resource: 'offices', where: isOf('id', offices.other) })).toEqual([]);
    expect(await idsOf({ resource: 'agents', where: isOf('officeId', offices.other) })).toEqual([]);
    expect(await idsOf({ resource: 'agents', where: isOf('officeId', null) })).toEqual([]);
    const both: Condition = { kind: 'in', field: 'id', values: Object.values(agents) };
    expect(await idsOf({ resource: 'agents', where: both })).toEqual([agents.main, agents.branch].sort());
    expect(
      await idsOf({ resource: 'agents', where: { kind: 'not', part: isOf('id', agents.main) } }),
    ).toEqual([agents.branch]);
  });

  it('walks through these records alone', async () => {
    const query = {
      resource: 'agents',
      limit: 1,
      orderBy: [{ field: 'lastName', isDescending: true }],
    } as const;
    const first = await page(query);
    expect(first).toMatchObject({ total: 2, items: [{ id: scene.agents.main }] });
    const second = await page({ ...query, cursor: String(first.nextCursor) });
    expect(second).toEqual({ total: 2, items: [expect.objectContaining({ id: scene.agents.branch })] });
  });
});

it('the limit is that of the scope of the resource, and nothing else that the caller may read widens it', async () => {
  const { db, offices, agents } = scene;
  const limit = await readLimit(db, [offices.other]);
  const grants = [
    { scopes: ['offices:read' as const], mayManage: true, limit: undefined },
    { scopes: ['agents:read' as const], mayManage: true, limit },
  ];
  const caller: Caller = { ...ADMIN, grants, scopes: ['offices:read', 'agents:read'] };
  expect(await idsOf({ resource: 'offices' }, caller)).toEqual(Object.values(offices).sort());
  expect(await idsOf({ resource: 'agents' }, caller)).toEqual([agents.other]);
});

it('a person with grants for two offices gets the records of both', async () => {
  const { db, offices, agents } = scene;
  const person = await personOf(db, [
    { role: 'viewer', officeIds: [offices.other] },
    { role: 'manager', officeIds: [offices.branch] },
  ]);
  expect(await idsOf({ resource: 'agents' }, person)).toEqual([agents.branch, agents.other].sort());
});
