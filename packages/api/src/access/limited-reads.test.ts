import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  const { all, offices, agents } = scene;
  await all.agents.update({ id: agents.other, affiliations: [{ officeId: offices.main }] });
  await all.agents.update({ id: agents.branch, affiliations: [{ officeId: offices.other }] });
  await scene.settle();
  limited = await scene.limited();
});
afterAll(() => scene[Symbol.asyncDispose]());

const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;
const lastNames = (page: { items: { lastName: string | null }[] }) =>
  page.items.map(({ lastName }) => lastName);
const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name);

describe('a caller that is limited to an office', () => {
  it('reads the office, its branches and their agents, and no others', async () => {
    const { offices, agents } = scene;
    expect((await limited.offices.get({ id: offices.branch })).name).toBe('Gaia');
    expect((await limited.agents.get({ id: agents.branch })).lastName).toBe('Gaia');
    for (const id of [agents.other, agents.none])
      expect(await codeOf(limited.agents.get({ id }))).toBe('not_found');
    for (const expand of [undefined, 'counts' as const])
      expect(await codeOf(limited.offices.get({ id: offices.other, expand }))).toBe('not_found');
  });

  it.each([
    ...['createdAt', '-createdAt', 'lastName', '-lastName', 'updatedAt'],
    ...['nextLicenseExpiresOn', 'city', '-city'],
  ] as const)(
    'lists the visible agents by %s, page by page in both directions, and counts them',
    async (sort) => {
      const whole = await limited.agents.list({ sort, includeTotal: true });
      expect(lastNames(whole).toSorted()).toEqual(['Gaia', 'Porto']);
      expect(whole).toMatchObject({ total: 2 });
      expect(whole.nextCursor).toBeUndefined();
      const first = await limited.agents.list({ sort, limit: 1 });
      const second = await limited.agents.list({ sort, limit: 1, cursor: first.nextCursor });
      expect([...first.items, ...second.items]).toEqual(whole.items);
      expect(second.nextCursor).toBeUndefined();
      const back = await limited.agents.list({ sort, limit: 1, cursor: second.prevCursor });
      expect(back.items).toEqual(first.items);
      expect(back.prevCursor).toBeUndefined();
    },
  );

  it('lists the visible offices, with the counts of visible agents and branches', async () => {
    const page = await limited.offices.list({ sort: 'name', expand: 'counts', includeTotal: true });
    expect(names(page)).toEqual(['Gaia', 'Porto']);
    expect(page.total).toBe(2);
    const counts = { agents: { active: 1, inactive: 0 }, affiliatedAgents: 0 };
    expect(page.items.map((office) => office.counts)).toEqual([
      { ...counts, branches: 0 },
      { ...counts, branches: 1 },
    ]);
    const everything = await scene.all.offices.get({ id: scene.offices.main, expand: 'counts' });
    expect(everything.counts?.affiliatedAgents).toBe(1);
    const one = await limited.offices.get({ id: scene.offices.main, expand: 'counts' });
    expect(one.counts).toEqual({ ...counts, branches: 1 });
  });

  it('finds visible records alone by any filter', async () => {
    const { offices, agents } = scene;
    const ids = Object.values(agents);
    expect(lastNames(await limited.agents.list({ ids, sort: 'lastName' }))).toEqual(['Gaia', 'Porto']);
    expect(lastNames(await limited.agents.list({ officeId: offices.other }))).toEqual(['Gaia']);
    expect(
      lastNames(await limited.agents.list({ officeId: Object.values(offices), sort: 'lastName' })),
    ).toEqual(['Gaia', 'Porto']);
    expect(lastNames(await limited.agents.list({ officeId: offices.main }))).toEqual(['Porto']);
    expect(lastNames(await limited.agents.list({ empty: 'officeId' }))).toEqual([]);
    expect(names(await limited.offices.list({ ids: Object.values(offices), sort: 'name' }))).toEqual([
      'Gaia',
      'Porto',
    ]);
    expect((await limited.agents.list({ status: 'inactive', includeTotal: true })).total).toBe(0);
    expect(lastNames(await limited.agents.list({ sort: 'lastName', startAt: 'H' }))).toEqual(['Porto']);
  });

  it('shows the office of each agent', async () => {
    const { items } = await limited.agents.list({ sort: 'lastName', expand: 'office' });
    expect(items.map((agent) => agent.office?.name)).toEqual(['Gaia', 'Porto']);
  });

  it('searches visible records alone, also the best matches first', async () => {
    for (const sort of ['lastName', 'relevance'] as const) {
      expect(lastNames(await limited.agents.list({ q: 'ana', sort })).toSorted()).toEqual(['Gaia', 'Porto']);
      expect(lastNames(await limited.agents.list({ q: 'lisboa', sort }))).toEqual([]);
      expect(lastNames(await limited.agents.list({ q: 'áná porto', sort }))).toEqual(['Porto']);
    }
  });

  it('is offered similar words of visible records alone', async () => {
    expect(await scene.all.agents.list({ q: 'lisbao' })).toMatchObject({ isSimilar: true });
    const page = await limited.agents.list({ q: 'lisbao' });
    expect(page.items).toEqual([]);
    expect(page.isSimilar).toBeUndefined();
    const similar = await limited.agents.list({ q: 'prrto' });
    expect(lastNames(similar)).toEqual(['Porto']);
    expect(similar.isSimilar).toBe(true);
  });

  it('counts visible records alone in the statistics, whatever was stored', async () => {
    const stats = await limited.stats.get({});
    expect(stats.agents).toMatchObject({ active: 2, inactive: 0, withoutOffice: 0 });
    expect(stats.offices).toMatchObject({ active: 2, inactive: 0 });
    expect(stats.agents.byOffice.map(({ name }) => name).toSorted()).toEqual(['Gaia', 'Porto']);
    expect((await scene.all.stats.get({})).agents).toMatchObject({ active: 4, withoutOffice: 1 });
  });

  it('sees nothing with a limit to an office that does not exist', async () => {
    const none = await scene.limited(['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11']);
    expect((await none.agents.list({ includeTotal: true })).total).toBe(0);
    expect((await none.offices.list({})).items).toEqual([]);
    expect((await none.stats.get({})).agents.active).toBe(0);
  });
});
