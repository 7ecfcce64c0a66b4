import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  const { all, offices } = scene;
  await all.offices.update({
    id: offices.main,
    address: { city: 'Matosinhos', region: '13', postalCode: '4450-123', country: 'PT' },
  });
  // Who may see the branch does not see the main office.
  limited = await scene.limited([offices.branch]);
});
afterAll(() => scene[Symbol.asyncDispose]());

type Query = Parameters<Caller['agents']['list']>[0];

const queries: [string, Query][] = [
  ['city', { city: 'Matosinhos' }],
  ['region', { region: '13' }],
  ['postal code', { postalCode: '4450-123' }],
  ['country', { country: 'PT' }],
  ['a search for the city', { q: 'matosinhos' }],
  ['a search by relevance', { q: 'gaia matosinhos', sort: 'relevance' }],
  ['a search for a part of the city', { q: 'tosinh' }],
  ['a misspelt city', { q: 'matosinos' }],
];

describe('the place of work, if it is the address of an office out of the limit', () => {
  it.each(queries)('is not found by %s', async (_, query) => {
    const { branch } = scene.agents;
    const found = async (by: Caller) => (await by.agents.list(query)).items.map(({ id }) => id);
    expect(await found(scene.all)).toContain(branch);
    expect(await found(limited)).toEqual([]);
  });

  it('counts as none in a list by city', async () => {
    const { agents, offices } = scene;
    const both = await scene.limited([offices.branch, offices.other]);
    await scene.all.offices.update({ id: offices.other, address: { city: 'Nazaré' } });
    const byCity = async (by: Caller, more: Query = {}) =>
      (await by.agents.list({ sort: 'city', ...more })).items.map(({ id }) => id);
    expect((await byCity(scene.all)).filter((id) => id === agents.branch || id === agents.other)).toEqual([
      agents.branch,
      agents.other,
    ]);
    expect(await byCity(both)).toEqual([agents.other, agents.branch]);
    expect(await byCity(both, { sort: '-city' })).toEqual([agents.branch, agents.other]);
    const first = await both.agents.list({ sort: 'city', limit: 1 });
    expect(await byCity(both, { limit: 1, cursor: first.nextCursor })).toEqual([agents.branch]);
    const last = await both.agents.list({ sort: '-city', limit: 1 });
    expect(Buffer.from(last.nextCursor ?? '', 'base64url').toString()).not.toMatch(/matosinhos/i);
    for (const startAt of ['Lagos', 'Matosinhos', 'Matosinhot'])
      expect(await byCity(both, { startAt })).toEqual([agents.other, agents.branch]);
    expect(await byCity(both, { startAt: 'Nazaret' })).toEqual([agents.branch]);
  });

  it('counts as none where filters are turned around', async () => {
    const { branch } = scene.agents;
    const negated: Query[] = [
      { not: 'city', city: 'Matosinhos' },
      { not: ['city', 'region'], city: 'Matosinhos', region: '13' },
      { not: 'country', country: 'PT' },
    ];
    for (const query of negated) {
      const found = async (by: Caller) => (await by.agents.list(query)).items.map(({ id }) => id);
      expect(await found(scene.all)).not.toContain(branch);
      expect(await found(limited)).toEqual([branch]);
    }
  });

  it('is not returned', async () => {
    const { branch: id } = scene.agents;
    const placeFor = async (by: Caller) => (await by.agents.get({ id, expand: 'place' })).place;
    expect(await placeFor(scene.all)).toMatchObject({ officeId: scene.offices.main, city: 'Matosinhos' });
    expect(await placeFor(limited)).toBeNull();
    expect((await limited.agents.list({ expand: ['office', 'place'] })).items).toMatchObject([
      { id, office: { name: 'Gaia' }, place: null },
    ]);
  });

  it('is not counted', async () => {
    const regionsFor = async (by: Caller) => (await by.stats.get({})).agents.byRegion;
    expect(await regionsFor(limited)).toEqual([{ country: null, region: null, active: 1, inactive: 0 }]);
    expect(await regionsFor(await scene.limited([scene.offices.main]))).toEqual([
      { country: 'PT', region: '13', active: 2, inactive: 0 },
    ]);
  });

  it('does not hide the agent from searches for what is in the limit', async () => {
    for (const query of [{ q: 'ana gaia' }, { q: 'gaia', sort: 'relevance' }] as const)
      expect((await limited.agents.list(query)).items.map(({ id }) => id)).toEqual([scene.agents.branch]);
  });
});
