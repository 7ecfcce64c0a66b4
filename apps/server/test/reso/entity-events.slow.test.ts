import { compactEvents } from '@roster/api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Entity, filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

type Copy = Map<string, Entity>;

/** Follows the events after a number as a consumer does, who reads each record that one names, and forgets it if it is gone. */
async function follow(copy: Copy, after: number, headers?: Record<string, string>): Promise<number> {
  let last = after;
  for (const event of await reso.walk(`/EntityEvent?${filter(`EntityEventSequence gt ${after}`)}`, headers)) {
    const { EntityEventSequence, ResourceName, ResourceRecordKey, ResourceRecordUrl } = event;
    expect(Number(EntityEventSequence)).toBeGreaterThan(last);
    last = Number(EntityEventSequence);
    const name = `${ResourceName} ${ResourceRecordKey}`;
    const response = await reso.send('GET', String(ResourceRecordUrl));
    if (response.status === 404) copy.delete(name);
    else copy.set(name, (await response.json()) as Entity);
  }
  return last;
}

/** All records as they are. */
async function current(): Promise<Entity[]> {
  const found: Entity[] = [];
  for (const set of ['Member', 'Office', 'Teams']) found.push(...(await reso.walk(`/${set}`)));
  return found;
}

const sorted = (entities: Iterable<Entity>) =>
  Array.from(entities, ({ '@odata.context': _, '@odata.id': __, '@odata.editLink': ___, ...entity }) =>
    JSON.stringify(entity),
  ).sort();

describe('EntityEvent', () => {
  it('alone rebuilds Member, Office and Teams, from the start and from where a consumer stopped', async () => {
    const directory = directoryOf(server);
    const office = await directory.office({ name: 'First' });
    const main = await directory.office({ name: 'Main', branchType: 'main' });
    const agents = [];
    for (let index = 0; index < 6; index += 1) agents.push(await directory.agent({ officeId: office.id }));
    const [first, second, third] = agents.map(({ id }) => id);
    await directory.patch('agents', first ?? '', { title: 'Broker' });
    await directory.team({ officeId: office.id, members: [{ agentId: second }] });
    const closed = await directory.team({ officeId: main.id });
    await directory.remove('teams', closed.id);
    await directory.remove('agents', second ?? '');
    const copy: Copy = new Map();
    let stoppedAt = 0;
    // An event gets its number after the response to its change.
    const followed = async () => {
      stoppedAt = await follow(copy, stoppedAt, { Prefer: 'maxpagesize=3' });
      return sorted(copy.values());
    };
    await expect.poll(followed).toEqual(sorted(await current()));
    await directory.put('agents', third ?? '', 'deactivate');
    await directory.put('agents', second ?? '', 'restore');
    await directory.patch('offices', office.id, { mainOfficeId: main.id, name: 'Renamed' });
    await directory.remove('agents', first ?? '');
    await expect.poll(followed).toEqual(sorted(await current()));
  });

  it('is read by number, by resource and by record, in any part and page size', async () => {
    const all = await reso.walk('/EntityEvent');
    const numbers = (events: Entity[]) =>
      events.map(({ EntityEventSequence }) => Number(EntityEventSequence));
    const [first = 0, second = 0] = numbers(all);
    const walk = async (text: string, size = 100) =>
      numbers(await reso.walk(`/EntityEvent?${filter(text)}`, { Prefer: `maxpagesize=${size}` }));
    expect(await walk('EntityEventSequence ge 0', 1)).toEqual(numbers(all));
    expect(await walk(`EntityEventSequence ge ${second}`)).toEqual(numbers(all).slice(1));
    expect(await walk(`EntityEventSequence eq ${second}`)).toEqual([second]);
    expect(await walk(`EntityEventSequence gt ${first} and EntityEventSequence lt ${first + 3}`, 1)).toEqual(
      numbers(all).filter((number) => number > first && number < first + 3),
    );
    expect(await walk(`EntityEventSequence le ${second} and 0 lt EntityEventSequence`)).toEqual([
      first,
      second,
    ]);
    const offices = all.filter(({ ResourceName }) => ResourceName === 'Office');
    expect(await walk("ResourceName eq 'Office'", 2)).toEqual(numbers(offices));
    expect(await walk("ResourceName eq 'Property'")).toEqual([]);
    expect(await walk("ResourceName eq 'Office' and ResourceName eq 'Member'")).toEqual([]);
    const key = String(offices[0]?.ResourceRecordKey);
    const ofOne = all.filter(({ ResourceRecordKey }) => ResourceRecordKey === key);
    expect(await walk(`ResourceRecordKey eq '${key}'`, 1)).toEqual(numbers(ofOne));
    expect(await walk("ResourceRecordKey eq 'x'")).toEqual([]);
    expect(numbers(await reso.walk('/EntityEvent?$top=3', { Prefer: 'maxpagesize=2' }))).toEqual(
      numbers(all).slice(0, 3),
    );
    const one = await reso.get<Entity>(`/EntityEvent(${second})`);
    expect(one).toMatchObject(all[1] ?? {});
  });

  it('is read from its newest event on, and from any place, and counted', async () => {
    const all = await reso.walk('/EntityEvent');
    const newestFirst = all.toReversed();
    const order = '$orderby=EntityEventSequence desc';
    for (const size of [1, 2, 100]) {
      const headers = { Prefer: `maxpagesize=${size}` };
      expect(await reso.walk(`/EntityEvent?${order}`, headers)).toEqual(newestFirst);
      expect(await reso.walk(`/EntityEvent?${order}&$skip=3&$top=5`, headers)).toEqual(
        newestFirst.slice(3, 8),
      );
      expect(await reso.walk('/EntityEvent?$orderby=EntityEventSequence asc&$skip=1', headers)).toEqual(
        all.slice(1),
      );
    }
    const [first] = all;
    const after = filter(`ResourceName eq 'Member' and EntityEventSequence gt ${first?.EntityEventSequence}`);
    const found = newestFirst.filter((one) => one.ResourceName === 'Member' && one !== first);
    expect(await reso.walk(`/EntityEvent?${after}&${order}`, { Prefer: 'maxpagesize=2' })).toEqual(found);
    const page = await reso.get(`/EntityEvent?${after}&${order}&$count=true&$skip=1&$top=2`);
    expect([page['@odata.count'], page.value]).toEqual([found.length, found.slice(1, 3)]);
    expect((await reso.get('/EntityEvent?$count=true&$top=0'))['@odata.count']).toBe(all.length);
    expect((await reso.get(`/EntityEvent?$skip=${all.length}`)).value).toEqual([]);
    const count = await reso.send('GET', `/EntityEvent/$count?${after}`);
    expect(await count.text()).toBe(String(found.length));
    expect(await (await reso.send('GET', '/EntityEvent/$count')).text()).toBe(String(all.length));
    const none = await reso.get(`/EntityEvent?${filter("ResourceName eq 'Property'")}&$count=true`);
    expect([none['@odata.count'], none.value]).toEqual([0, []]);
  });

  it('includes the event of a change once its response is sent', async () => {
    const body = { MemberFirstName: 'Ana', MemberLastName: 'Sousa' };
    for (let round = 0; round < 10; round += 1) {
      const created = (await (await reso.send('POST', '/Member', body)).json()) as Entity;
      const ofOne = filter(`ResourceName eq 'Member' and ResourceRecordKey eq '${created.MemberKey}'`);
      const newest = `/EntityEvent?${ofOne}&$orderby=EntityEventSequence desc&$top=1`;
      const [first] = (await reso.get(newest)).value;
      expect(first?.ResourceRecordKey).toBe(created.MemberKey);
      const path = `/Member('${created.MemberKey}')`;
      expect((await reso.send('PATCH', path, { JobTitle: 'Broker' })).status).toBe(204);
      const [second] = (await reso.get(newest)).value;
      expect(Number(second?.EntityEventSequence)).toBeGreaterThan(Number(first?.EntityEventSequence));
      expect((await reso.send('DELETE', path)).status).toBe(204);
      const [third] = (await reso.get(newest)).value;
      expect(Number(third?.EntityEventSequence)).toBeGreaterThan(Number(second?.EntityEventSequence));
    }
  });

  it('shows, passes over and counts only what a limited key may see', async () => {
    const directory = directoryOf(server);
    const office = await directory.office();
    const scopes = ['events:read', 'agents:read', 'offices:read', 'teams:read'] as const;
    const { secret } = await keyWith(server, [...scopes], { officeIds: [office.id] });
    const agent = await directory.agent({ officeId: office.id });
    await directory.agent();
    await directory.patch('agents', agent.id, { title: 'Broker' });
    const own = (entities: Entity[]) => entities.map((one) => one.ResourceRecordKey);
    const order = '$orderby=EntityEventSequence desc';
    const headers = bearer(secret);
    const seen = async () => own(await reso.walk(`/EntityEvent?${order}`, headers));
    await expect.poll(seen).toEqual([agent.id, agent.id, office.id]);
    const page = await reso.get(`/EntityEvent?${order}&$skip=1&$count=true`, headers);
    expect([page['@odata.count'], own(page.value)]).toEqual([3, [agent.id, office.id]]);
    expect(own((await reso.get('/EntityEvent?$skip=2', headers)).value)).toEqual([agent.id]);
    const count = await reso.send('GET', '/EntityEvent/$count', undefined, headers);
    expect(await count.text()).toBe('3');
    const ofEvents = bearer((await keyWith(server, ['events:read', 'agents:read'])).secret);
    for (const path of ['/EntityEvent?$count=true', '/EntityEvent/$count'])
      expect(await reso.error('GET', path, { headers: ofEvents })).toMatchObject({ status: 403 });
    const members = `/EntityEvent/$count?${filter("ResourceName eq 'Member'")}`;
    expect((await reso.send('GET', members, undefined, ofEvents)).status).toBe(200);
  });

  it('tells a consumer whose events are no longer kept to begin again, and one of another log', async () => {
    const { db } = server.database;
    const later = new Date(Date.now() + 400 * 86_400_000);
    const all = await reso.walk('/EntityEvent');
    const [first] = all;
    await compactEvents(db, { now: later, retentionDays: 1 } as never);
    const again = await reso.walk('/EntityEvent', { Prefer: 'maxpagesize=2' });
    expect(again.length).toBeLessThan(all.length);
    const after = filter(`EntityEventSequence gt ${first?.EntityEventSequence}`);
    expect(await reso.error('GET', `/EntityEvent?${after}`)).toMatchObject({
      status: 410,
      code: 'cursor_expired',
    });
    const beyond = filter('EntityEventSequence gt 1000000');
    expect(await reso.error('GET', `/EntityEvent?${beyond}`)).toMatchObject({
      status: 410,
      code: 'cursor_expired',
    });
    const copy: Copy = new Map();
    await follow(copy, 0);
    expect(sorted(copy.values())).toEqual(sorted(await current()));
  });
});
