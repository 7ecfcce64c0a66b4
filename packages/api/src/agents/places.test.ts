import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { useDatabase } from '../../test/support/use-database.ts';
import { placeNextAgents } from './places.ts';

const { caller: callerOf } = useDatabase({ requiresEvents: true });
let caller: Caller;
beforeAll(() => {
  caller = callerOf();
});

const porto = {
  line1: 'Rua das Flores 1',
  city: 'Porto',
  region: '13',
  postalCode: '4050-262',
  country: 'PT',
};
const faro = { city: 'Faro', region: '08', postalCode: '8000-078', country: 'PT' };

let count = 0;
/** A word that no other test has. */
function word(): string {
  count += 1;
  return `Zq${String.fromCodePoint(96 + count)}x${count}`;
}

async function idsOf(query: Parameters<Caller['agents']['list']>[0]): Promise<string[]> {
  return (await caller.agents.list(query)).items.map(({ id }) => id);
}

async function placeOf(id: string) {
  return (await caller.agents.get({ id, expand: 'place' })).place;
}

async function scene(by = caller) {
  const name = word();
  const main = await by.offices.create({ name: `${name} Main`, address: { ...porto, city: `${name} City` } });
  const branch = await by.offices.create({ name: `${name} Branch`, mainOfficeId: main.id });
  const agent = await by.agents.create({ lastName: 'Reis', officeId: branch.id });
  return { name, main, branch, agent };
}

describe('the place of work', () => {
  it("is the agent's own address, else the address of the office, else of the nearest office above", async () => {
    const { main, branch, agent } = await scene();
    const ofMain = { officeId: main.id, line2: null, county: null, ...main.address };
    expect(await placeOf(agent.id)).toEqual(ofMain);
    await caller.offices.update({ id: branch.id, address: faro });
    expect(await placeOf(agent.id)).toMatchObject({ officeId: branch.id, ...faro });
    await caller.agents.update({ id: agent.id, address: { city: 'Braga' } });
    expect(await placeOf(agent.id)).toMatchObject({ officeId: null, city: 'Braga', country: null });
    await caller.agents.update({ id: agent.id, address: null });
    await caller.offices.update({ id: branch.id, address: null });
    expect(await placeOf(agent.id)).toEqual(ofMain);
    await caller.agents.update({ id: agent.id, officeId: null });
    expect(await placeOf(agent.id)).toBeNull();
  });

  it('is that of the office if the agent has only a country', async () => {
    const { main, agent } = await scene();
    await caller.agents.update({ id: agent.id, address: { country: 'ES' } });
    expect(await placeOf(agent.id)).toMatchObject({ officeId: main.id, country: 'PT' });
    await caller.agents.update({ id: agent.id, officeId: null });
    expect(await placeOf(agent.id)).toMatchObject({ officeId: null, city: null, country: 'ES' });
  });

  it('leaves the address, the version and the history of the agent as they are', async () => {
    const { main, agent } = await scene();
    await caller.offices.update({ id: main.id, address: faro });
    expect(await caller.agents.get({ id: agent.id })).toEqual(agent);
    expect((await caller.agents.history({ id: agent.id })).items).toHaveLength(1);
    expect(await placeOf(agent.id)).toMatchObject(faro);
  });

  it('follows a new main office, a moved agent and a merge of offices', async () => {
    const [one, other] = [await scene(), await scene()];
    await caller.offices.update({ id: one.branch.id, mainOfficeId: other.main.id });
    expect(await placeOf(one.agent.id)).toMatchObject({ officeId: other.main.id });
    await caller.agents.transfer({ id: one.agent.id, officeId: one.main.id });
    expect(await placeOf(one.agent.id)).toMatchObject({ officeId: one.main.id });
    await caller.offices.merge({ id: other.main.id, duplicateId: one.main.id });
    expect(await placeOf(one.agent.id)).toMatchObject({ officeId: other.main.id });
  });
});

describe('lists of agents', () => {
  it('filter by city, region, postal code and country of the place of work', async () => {
    const { name, branch, agent } = await scene();
    expect(await idsOf({ city: `${name.toUpperCase()} CITY` })).toEqual([agent.id]);
    const one = { officeId: branch.id };
    expect(await idsOf({ ...one, region: '13' })).toEqual([agent.id]);
    expect(await idsOf({ ...one, postalCode: ['1000-001', '4050-262'] })).toEqual([agent.id]);
    expect(await idsOf({ ...one, country: 'PT' })).toEqual([agent.id]);
    expect(await idsOf({ ...one, region: '11' })).toEqual([]);
    expect(await idsOf({ city: `${name} City`, sort: 'lastName', limit: 1 })).toEqual([agent.id]);
  });

  it('sort by the city of the place of work without case, then by last name, those without a place after all cities', async () => {
    const firstName = word();
    const cities = ['Évora', 'FARO', 'faro', 'Zürich', 'Águeda', 'ЯЛТА', '東京', null];
    for (const [at, city] of cities.entries()) {
      const address = city === null ? null : { city };
      const { id: officeId } = await caller.offices.create({ name: `${firstName} ${at}`, address });
      await caller.agents.create({ firstName, lastName: `Reis ${at}`, officeId });
      await caller.agents.create({ firstName, lastName: `Abreu ${at}`, officeId });
    }
    const pagesOf = async (sort: 'city' | '-city', startAt?: string) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { items, ...page } = await caller.agents.list({
          name: firstName,
          sort,
          limit: 3,
          expand: 'place',
          ...(startAt !== undefined && { startAt }),
          ...(cursor !== undefined && { cursor }),
        });
        found.push(...items.map(({ lastName, place }) => `${place?.city ?? 'none'}, ${lastName}`));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    const faro = ['FARO, Abreu 1', 'faro, Abreu 2', 'FARO, Reis 1', 'faro, Reis 2'];
    const rest = ['Zürich 3', 'ЯЛТА 5', '東京 6', 'none 7'].flatMap((one) => {
      const [city, at] = one.split(' ');
      return [`${city}, Abreu ${at}`, `${city}, Reis ${at}`];
    });
    const all = ['Águeda, Abreu 4', 'Águeda, Reis 4', 'Évora, Abreu 0', 'Évora, Reis 0', ...faro, ...rest];
    expect(await pagesOf('city')).toEqual(all);
    expect(await pagesOf('-city')).toEqual(all.toReversed());
    expect(await pagesOf('city', 'FARO')).toEqual(all.slice(4));
    expect(await pagesOf('-city', 'Faro')).toEqual(all.slice(0, 8).toReversed());
    const start = { name: firstName, sort: 'city', startAt: 'Faro', limit: 2 } as const;
    const { prevCursor } = await caller.agents.list(start);
    const before = await caller.agents.list({ ...start, cursor: prevCursor });
    expect(before.items.map(({ lastName }) => lastName)).toEqual(['Abreu 0', 'Reis 0']);
  });

  it('search the city of the place of work, the name of the office and numbers of licences', async () => {
    const { name, branch, agent } = await scene();
    await caller.agents.update({ id: agent.id, licenses: [{ number: `AMI-${name}` }] });
    expect(await idsOf({ q: `${name} city` })).toEqual([agent.id]);
    expect(await idsOf({ q: `reis branch ${name}` })).toEqual([agent.id]);
    expect(await idsOf({ q: `ami ${name}` })).toEqual([agent.id]);
    expect(await idsOf({ q: `AMI${name}` })).toEqual([agent.id]);
    await caller.offices.update({ id: branch.id, name: `${name} Ribeira` });
    expect(await idsOf({ q: `${name} branch` })).toEqual([]);
    expect(await idsOf({ q: `${name} ribeira`, sort: 'relevance' })).toEqual([agent.id]);
  });

  it('highlight what the search found in the office, the place of work and the licences', async () => {
    const { name, agent } = await scene();
    await caller.agents.update({ id: agent.id, licenses: [{ number: 'X' }, { number: `${name}` }] });
    const page = await caller.agents.list({ q: name, highlight: true, expand: ['place', 'office'] });
    expect(page.items[0]).toMatchObject({
      office: { name: `${name} Branch` },
      place: { city: `${name} City` },
    });
    expect(page.highlights?.[0]?.map(({ field }) => field)).toEqual([
      'licenses.1.number',
      'office.name',
      'place.city',
    ]);
  });
});

describe('an office with many agents', () => {
  // Whose agents are inserted by SQL, without events.
  const many = useDatabase();

  it('places the first in the change, and the others in batches afterwards, without waiting for a locked one', async () => {
    const { db } = many.database();
    const { name, main, branch, agent } = await scene(many.caller());
    await sql`
      insert into agent (id, status_changed_at, created_at, updated_at, last_name, office_id)
      select gen_random_uuid(), now(), now(), now(), 'Mendes ' || at, ${branch.id} from generate_series(1, 1200) as at`.execute(
      db,
    );
    const countOf = async (city: string) =>
      (await many.caller().agents.list({ officeId: branch.id, city, includeTotal: true, limit: 1 })).total;
    await db.transaction().execute(async (other) => {
      await other.selectFrom('agent').select('id').where('id', '=', agent.id).forNoKeyUpdate().execute();
      await many.caller().offices.update({ id: main.id, address: faro });
      expect(await countOf('Faro')).toBe(500);
      expect(await countOf(`${name} City`)).toBe(701);
      while (await placeNextAgents(db)) expect(await countOf(`${name} City`)).toBeLessThan(701);
      expect(await countOf(`${name} City`)).toBe(1);
    });
    while (await placeNextAgents(db)) expect(await countOf('Faro')).toBeGreaterThan(0);
    expect(await countOf('Faro')).toBe(1_201);
    expect(await db.selectFrom('place_backlog').selectAll().execute()).toEqual([]);
  });
});
