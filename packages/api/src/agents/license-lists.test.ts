import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const required = { agents: { firstName: 'Ana', lastName: 'Reis' }, offices: { name: 'Casa' } };
const resources = ['agents', 'offices'] as const;
const days = [null, '2020-02-29', '2027-01-31', '2027-02-01', '9999-12-31'];
const licenses = fc
  .array(fc.constantFrom(...days), { maxLength: 3 })
  .map((dates) => dates.map((expiresOn, index) => ({ number: String(index), expiresOn })));
type Licenses = { expiresOn: string | null }[];
const earliest = (all: Licenses) =>
  all.flatMap(({ expiresOn }) => (expiresOn === null ? [] : [expiresOn])).sort()[0] ?? null;

describe.each(resources)('%s', (resource) => {
  it('show the earliest last day of their licences, which follows every change of them', async () => {
    const { id } = await caller[resource].create({ ...required[resource] } as never);
    await fc.assert(
      fc.asyncProperty(licenses, async (given) => {
        const updated = await caller[resource].update({ id, licenses: given });
        expect(updated.nextLicenseExpiresOn).toBe(earliest(given));
        expect((await caller[resource].get({ id })).nextLicenseExpiresOn).toBe(earliest(given));
      }),
      { numRuns: 30 },
    );
  });

  it('are found within 60 days of the day of the request, on all pages, also when the day has changed between them', async () => {
    const sourceName = `Window of ${resource}`;
    const days = ['2027-02-27', '2027-02-28', '2027-03-01', '2027-04-29', '2027-04-30', null];
    for (const expiresOn of days) {
      await caller[resource].create({
        ...required[resource],
        source: { name: sourceName, key: String(expiresOn) },
        licenses: [{ number: 'AMI-1', expiresOn }],
      } as never);
    }
    let now = new Date('2027-02-28T23:59:00Z');
    const { list } = callerIn(database.db, { now: () => now })[resource];
    const query = {
      sourceName,
      licenseExpiresSince: 'P0D',
      licenseExpiresBefore: 'P61D',
      limit: 1,
      sort: 'nextLicenseExpiresOn' as const,
    };
    const found: (string | null)[] = [];
    let page = await list(query);
    expect((await list({ ...query, includeTotal: true })).total).toBe(3);
    for (;;) {
      found.push(...page.items.map((record) => record.nextLicenseExpiresOn));
      if (page.nextCursor === undefined) break;
      now = new Date('2027-03-01T00:01:00Z');
      page = await list({ ...query, cursor: page.nextCursor });
    }
    expect(found).toEqual(['2027-02-28', '2027-03-01', '2027-04-29', '2027-04-30']);
  });

  it('are listed by it, those without one last in both directions, over all pages, and found before a day', async () => {
    const source = (key: string) => ({ name: `Expiry of ${resource}`, key });
    for (const [index, given] of fc.sample(licenses, { numRuns: 25, seed: 7 }).entries()) {
      await caller[resource].create({
        ...required[resource],
        source: source(String(index)),
        licenses: given,
      } as never);
    }
    const sourceName = `Expiry of ${resource}`;
    const all = (await caller[resource].list({ sourceName, limit: 200 })).items;
    const pages = async (sort: 'nextLicenseExpiresOn' | '-nextLicenseExpiresOn') => {
      const found: { id: string; nextLicenseExpiresOn: string | null }[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await caller[resource].list({ sourceName, sort, limit: 4, ...(cursor && { cursor }) });
        found.push(...page.items);
        if (page.nextCursor === undefined) return found;
        cursor = page.nextCursor;
      }
    };
    const order = (sign: 1 | -1) => (one: (typeof all)[number], other: (typeof all)[number]) => {
      const [first, second] = [one, other].map((record) => record.nextLicenseExpiresOn);
      if (first === second) return one.id < other.id ? -sign : sign;
      if (first == null || second == null) return first == null ? 1 : -1;
      return first < second ? -sign : sign;
    };
    const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
    expect(idsOf(await pages('nextLicenseExpiresOn'))).toEqual(idsOf(all.toSorted(order(1))));
    expect(idsOf(await pages('-nextLicenseExpiresOn'))).toEqual(idsOf(all.toSorted(order(-1))));
    for (const licenseExpiresBefore of ['2020-02-29', '2020-03-01', '2027-02-01', '9999-12-31']) {
      const page = await caller[resource].list({ sourceName, licenseExpiresBefore, limit: 200 });
      const matching = all.filter(
        ({ nextLicenseExpiresOn: next }) => next !== null && next < licenseExpiresBefore,
      );
      expect(idsOf(page.items).sort()).toEqual(idsOf(matching).sort());
      const later = await caller[resource].list({
        sourceName,
        licenseExpiresSince: licenseExpiresBefore,
        limit: 200,
      });
      const expectedLater = all.filter(
        ({ nextLicenseExpiresOn: next }) => next !== null && next >= licenseExpiresBefore,
      );
      expect(idsOf(later.items).sort()).toEqual(idsOf(expectedLater).sort());
    }
  });
});

describe('the filter by region of a licence', () => {
  it('finds records with a licence of any of the regions, ignoring case, beside the other filters of licences', async () => {
    const key = 'Regions';
    const create = (lastName: string, licenses: { number: string; region: string }[]) =>
      caller.agents.create({ lastName, source: { name: key, key: lastName }, licenses });
    await create('Reis', [
      { number: 'A1', region: '11' },
      { number: 'A2', region: 'FL' },
    ]);
    await create('Gil', [{ number: 'A3', region: '13' }]);
    await create('Luz', []);
    const found = async (query: Parameters<Caller['agents']['list']>[0]) =>
      (await caller.agents.list({ sourceName: key, sort: 'lastName', ...query })).items.map(
        (one) => one.lastName,
      );
    expect(await found({ licenseRegion: 'fl' })).toEqual(['Reis']);
    expect(await found({ licenseRegion: ['11', '13'] })).toEqual(['Gil', 'Reis']);
    expect(await found({ licenseRegion: '11', licenseNumber: 'a2' })).toEqual(['Reis']);
    expect(await found({ licenseRegion: '12' })).toEqual([]);
    expect(await found({ empty: 'licenses' })).toEqual(['Luz']);
  });
});
