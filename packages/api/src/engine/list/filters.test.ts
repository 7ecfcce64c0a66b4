import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';

let database: TestDatabase;
let caller: Caller;
type Query = Parameters<Caller['agents']['list']>[0];

const found = async (query: Query) =>
  (await caller.agents.list({ sort: 'firstName', ...query })).items.map(({ firstName }) => firstName);

beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
  const office = await caller.offices.create({ name: 'Porto', address: { city: 'Porto', country: 'PT' } });
  const other = await caller.offices.create({ name: 'Faro', address: { city: 'Faro', country: 'PT' } });
  await caller.agents.create({
    firstName: 'Ana',
    lastName: 'Reis',
    title: 'Broker',
    languages: ['pt-BR', 'en'],
    officeId: office.id,
  });
  await caller.agents.create({
    firstName: 'Eva',
    lastName: 'Ágata',
    displayName: 'Dona Eva',
    title: 'Partner',
    languages: ['pt'],
    officeId: other.id,
    affiliations: [{ officeId: office.id }],
  });
  await caller.agents.create({ firstName: 'Rui', lastName: 'Sá' });
});
afterAll(() => database[Symbol.asyncDispose]());

describe('filters of agents', () => {
  it.each<[string, Query, string[]]>([
    ['a first name', { name: 'ANA' }, ['Ana']],
    ['a last name', { name: 'ágata' }, ['Eva']],
    ['the name that is shown', { name: ['dona eva', 'rui sá'] }, ['Eva', 'Rui']],
    ['not a part of a name', { name: 'An' }, []],
    ['a job title', { title: ['broker', 'owner'] }, ['Ana']],
    ['a language with its regions', { language: 'PT' }, ['Ana', 'Eva']],
    ['a language of one region', { language: ['pt-br', 'fr'] }, ['Ana']],
    ['everyone without a name', { not: 'name', name: 'Ana' }, ['Eva', 'Rui']],
    ['everyone without a job title', { not: 'title', title: 'Broker' }, ['Eva', 'Rui']],
    ['everyone without a language', { not: 'language', language: 'pt' }, ['Rui']],
    ['everyone elsewhere, and who works nowhere', { not: 'city', city: 'PORTO' }, ['Eva', 'Rui']],
    [
      'one filter that is turned around beside one that is not',
      { not: 'city', city: 'Porto', country: 'PT' },
      ['Eva'],
    ],
    ['two that are turned around', { not: ['city', 'title'], city: 'Porto', title: 'Partner' }, ['Rui']],
  ])('find %s', async (_, query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it('find members of a team, and who is in none of some', async () => {
    const { items } = await caller.agents.list({ sort: 'firstName' });
    const [ana, eva] = items;
    const team = await caller.teams.create({
      name: 'One',
      members: [{ agentId: String(ana?.id), role: 'member' }],
    });
    await caller.teams.create({ name: 'Two', members: [{ agentId: String(eva?.id), role: 'member' }] });
    expect(await found({ teamId: team.id })).toEqual(['Ana']);
    expect(await found({ not: 'teamId', teamId: team.id })).toEqual(['Eva', 'Rui']);
  });

  it('turn around an office with its affiliations, or as the primary one alone', async () => {
    const [office] = (await caller.offices.list({ city: 'Porto' })).items;
    const officeId = String(office?.id);
    expect(await found({ not: 'officeId', officeId })).toEqual(['Rui']);
    expect(await found({ not: 'officeId', officeId, affiliation: 'primary' })).toEqual(['Eva', 'Rui']);
  });
});

describe('not', () => {
  it('binds cursors: that of a list is rejected by the list of the others', async () => {
    const { nextCursor: cursor } = await caller.agents.list({ not: 'city', city: 'Porto', limit: 1 });
    const { items } = await caller.agents.list({ not: 'city', city: 'Porto', limit: 1, cursor });
    expect(items).toHaveLength(1);
    await expect(caller.agents.list({ city: 'Porto', limit: 1, cursor })).rejects.toThrow(
      'belongs to a list with other filters',
    );
  });

  it('requires the filter that it names, in lists, changes of many records and views', async () => {
    await expect(caller.agents.list({ not: 'city' })).rejects.toThrow('requires the filter city');
    const change = { type: 'deactivate' } as const;
    await expect(caller.agents.bulk({ filter: { not: 'city' }, change, dryRun: true })).rejects.toThrow(
      'requires the filter city',
    );
    const view = { name: 'Elsewhere', resource: 'agents', query: { not: 'city' } } as const;
    await expect(caller.views.create(view)).rejects.toThrow('requires the filter city');
  });

  it('selects the same records for a change of many as in a list', async () => {
    const filter = { not: 'city', city: 'Porto' } as const;
    const preview = await caller.agents.bulk({ filter, change: { type: 'reactivate' }, dryRun: true });
    expect(preview).toMatchObject({ count: 2 });
  });
});

describe('a limited access', () => {
  let scene: OfficeScene;
  beforeAll(async () => {
    scene = await officeScene();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  it('finds no member of a team that it does not see', async () => {
    const { all, offices, agents } = scene;
    const members = [{ agentId: agents.branch, role: 'member' as const }];
    const hidden = await all.teams.create({ name: 'Hidden', officeId: offices.main, members });
    const limited = await scene.limited([offices.branch]);
    const ids = async (by: Caller, query: Query) => (await by.agents.list(query)).items.map(({ id }) => id);
    expect(await ids(all, { teamId: hidden.id })).toEqual([agents.branch]);
    expect(await ids(limited, { teamId: hidden.id })).toEqual([]);
    expect(await ids(limited, { not: 'teamId', teamId: hidden.id })).toEqual([agents.branch]);
  });
});
