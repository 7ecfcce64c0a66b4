import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldNotices, noticeLicenses } from '../../src/agents/licenses/notices.ts';
import { agents } from '../../src/directory/agents/definition.ts';
import { offices } from '../../src/directory/offices/definition.ts';
import { purgeTombstones } from '../../src/host/purge-tombstones.ts';
import { assignPositions } from '../../src/log/sequencer.ts';
import { type Caller, callerIn } from '../support/caller.ts';

let database: TestDatabase;
let caller: Caller;
beforeEach(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterEach(() => database[Symbol.asyncDispose]());

const ana = { firstName: 'Ana', lastName: 'Reis' };
const noticeDays = [90, 60, 30, 0];
const DAY_MS = 24 * 60 * 60 * 1_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const dateAt = (time: number) => new Date(time).toISOString().slice(0, 10);

const pass = (now: string | number, days: readonly number[] = noticeDays) =>
  noticeLicenses(database.db, [offices, agents], { now: new Date(now), noticeDays: days });

/** The events of licences of a record, as the number of days left and the number of the licence. */
async function noticesOf(subject: string): Promise<string[]> {
  await assignPositions(database.db);
  const { items } = await caller.events.list({ subject });
  return items
    .filter(({ type }) => type.endsWith('.license_expiring'))
    .map(({ details }) => `${details?.daysLeft} ${details?.license?.number}`);
}

describe('a licence of an agent or an office', () => {
  it('has no event if it had expired before the record was created', async () => {
    const expired = { number: 'OLD', expiresOn: dateAt(Date.now() - 2 * DAY_MS) };
    const { id } = await caller.agents.create({ ...ana, licenses: [expired] });
    await pass(Date.now());
    expect(await noticesOf(id)).toEqual([]);
    const ending = { number: 'NEW', expiresOn: dateAt(Date.now() + 2 * DAY_MS) };
    await caller.agents.update({ id, licenses: [expired, ending] });
    await pass(Date.now() + 20 * DAY_MS);
    expect(await noticesOf(id)).toEqual(['-18 NEW']);
  });

  it.each(['agents', 'offices'] as const)(
    'has one event 90, 60, 30 and 0 days before its last day, which changes nothing (%s)',
    async (resource) => {
      const license = { number: 'A1', region: '11', type: 'Broker', expiresOn: '2027-06-30' };
      const record = { licenses: [license], ...(resource === 'agents' ? ana : { name: 'Casa' }) };
      const { id } = await caller[resource].create(record as never);
      for (let time = day('2027-03-28'); time < day('2027-07-10'); time += DAY_MS) {
        await pass(time);
        await pass(time + DAY_MS / 2);
      }
      expect(await noticesOf(id)).toEqual(['90 A1', '60 A1', '30 A1', '0 A1']);
      const { items } = await caller.events.list({ subject: id });
      expect(items[1]).toMatchObject({
        type: `${resource.slice(0, -1)}.license_expiring`,
        version: 1,
        actorId: null,
        previous: {},
        record: { id, version: 1, nextLicenseExpiresOn: '2027-06-30' },
        details: { license, daysLeft: 90 },
        occurredAt: '2027-04-01T00:00:00.000Z',
      });
      expect((await caller[resource].get({ id })).version).toBe(1);
    },
  );

  it('has one event for the latest of several thresholds that were missed', async () => {
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [{ number: 'A1', expiresOn: '2027-06-30' }],
    });
    await pass(day('2027-06-10'));
    await pass(day('2027-07-15'));
    expect(await noticesOf(id)).toEqual(['20 A1', '-15 A1']);
  });

  it('has no event if it expired longer ago than the largest threshold, and at least 30 days', async () => {
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [{ number: 'A1', expiresOn: '2027-03-31' }],
    });
    await pass(day('2027-06-30'));
    await pass(day('2027-05-01'), [0]);
    expect(await noticesOf(id)).toEqual([]);
    await pass(day('2027-04-30'), [0]);
    expect(await noticesOf(id)).toEqual(['-30 A1']);
  });

  it('has events of its own after it was renewed, and each of several licences has its own', async () => {
    const first = { number: 'A1', expiresOn: '2027-06-30' };
    const second = { number: 'B2', expiresOn: '2027-06-30' };
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [first, second, { number: 'C3' }],
    });
    await pass(day('2027-06-01'));
    expect((await noticesOf(id)).sort()).toEqual(['29 A1', '29 B2']);
    await caller.agents.update({ id, licenses: [{ ...first, expiresOn: '2027-07-31' }] });
    await pass(day('2027-06-01'));
    expect((await noticesOf(id)).slice(2)).toEqual(['60 A1']);
  });

  it('has none while the record is inactive', async () => {
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [{ number: 'A1', expiresOn: '2027-06-30' }],
    });
    await caller.agents.deactivate({ id });
    expect(await pass(day('2027-06-20'))).toBe(0);
    await caller.agents.reactivate({ id });
    expect(await pass(day('2027-06-20'))).toBe(1);
  });

  it('is noticed by the day of the time zone of the office, and of UTC without one', async () => {
    const licenses = [{ number: 'A1', expiresOn: '2027-06-30' }];
    const ids: Record<string, string> = {};
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', null]) {
      const office = await caller.offices.create({ name: 'Casa', timeZone, licenses });
      const agent = await caller.agents.create({ ...ana, officeId: office.id, licenses });
      ids[`office ${timeZone}`] = office.id;
      ids[`agent ${timeZone}`] = agent.id;
    }
    const noticed = async () => {
      const names: string[] = [];
      for (const [name, id] of Object.entries(ids)) if ((await noticesOf(id)).length > 0) names.push(name);
      return names.sort();
    };
    // It is 1 June in Kiritimati (UTC+14) from 10:00 UTC of 31 May on, and in Pago Pago (UTC-11) from 11:00 UTC of 1 June on.
    await pass('2027-05-31T09:59:59Z', [29]);
    expect(await noticed()).toEqual([]);
    await pass('2027-05-31T10:00:00Z', [29]);
    expect(await noticed()).toEqual(['agent Pacific/Kiritimati', 'office Pacific/Kiritimati']);
    await pass('2027-06-01T00:00:00Z', [29]);
    expect(await noticed()).toHaveLength(4);
    await pass('2027-06-01T11:00:00Z', [29]);
    expect(await noticed()).toHaveLength(6);
  });
});

it('an office in a time zone that this server does not know has the day of UTC, and holds up no other', async () => {
  const licenses = [{ number: 'A1', expiresOn: '2027-06-30' }];
  const { id } = await caller.offices.create({ name: 'Casa', timeZone: 'Europe/Lisbon', licenses });
  const agent = await caller.agents.create({ ...ana, licenses });
  await sql`update office set time_zone = 'Mars/Olympus_Mons'`.execute(database.db);
  await pass('2027-06-30T00:00:00Z', [0]);
  expect(await noticesOf(id)).toEqual(['0 A1']);
  expect(await noticesOf(agent.id)).toEqual(['0 A1']);
});

describe('passes of several servers', () => {
  it('insert each event once, also at once, with records that change meanwhile', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const licenses = [{ number: `A${index}`, expiresOn: '2027-06-30' }];
        return (await caller.agents.create({ ...ana, licenses })).id;
      }),
    );
    const now = day('2027-06-20');
    await Promise.all([
      ...[1, 2, 3, 4].map(() => pass(now)),
      ...ids.map((id) => caller.agents.update({ id, bio: 'x' })),
    ]);
    await pass(now);
    for (const [index, id] of ids.entries()) {
      expect(await noticesOf(id)).toEqual([`10 A${index}`]);
      const { items } = await caller.events.list({ subject: id });
      const versions = items.map(({ version }) => version);
      expect(versions).toEqual(versions.toSorted());
      for (const { record, version } of items) expect(record).toMatchObject({ version });
    }
  });

  it('leave neither an event nor a notice if the server dies in a pass', async () => {
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [{ number: 'A1', expiresOn: '2027-06-30' }],
    });
    const options = { now: new Date(day('2027-06-20')), noticeDays };
    const dying = database.db.transaction().execute(async (trx) => {
      expect(await noticeLicenses(trx, [agents], options)).toBe(1);
      throw new Error('died');
    });
    await expect(dying).rejects.toThrow('died');
    expect(await noticesOf(id)).toEqual([]);
    await pass(day('2027-06-20'));
    expect(await noticesOf(id)).toEqual(['10 A1']);
  });

  it('at any times give each licence one event for a threshold, in the order of the thresholds', async () => {
    const last = day('2027-06-30');
    const { id } = await caller.agents.create({
      ...ana,
      licenses: [{ number: 'A1', expiresOn: dateAt(last) }],
    });
    const daysLeft = fc.integer({ min: -100, max: 100 });
    await fc.assert(
      fc.asyncProperty(fc.array(daysLeft, { minLength: 1, maxLength: 12 }), async (times) => {
        await sql`delete from license_notice`.execute(database.db);
        await sql`delete from event where type = 'agent.license_expiring'`.execute(database.db);
        const expected: number[] = [];
        let noticed = Number.POSITIVE_INFINITY;
        for (const left of times) {
          await pass(last - left * DAY_MS);
          const due = Math.min(...noticeDays.filter((days) => days >= left));
          if (left < -90 || due >= noticed) continue;
          noticed = due;
          expected.push(left);
        }
        const found = (await noticesOf(id)).map((notice) => Number(notice.split(' ')[0]));
        expect(found).toEqual(expected.filter((left) => left <= 90));
      }),
      { numRuns: 30 },
    );
  });
});

it('a purged record leaves no notice, and a restored one is not noticed again', async () => {
  const licenses = [{ number: 'A1', expiresOn: '2027-06-30' }];
  const restored = await caller.agents.create({ ...ana, licenses });
  const purged = await caller.agents.create({ ...ana, licenses });
  await pass(day('2027-06-20'));
  await caller.agents.delete({ id: restored.id });
  await caller.agents.delete({ id: purged.id });
  await caller.agents.restore({ id: restored.id });
  await purgeTombstones(database.db, [offices, agents], {
    now: new Date(day('2027-08-01')),
    retentionDays: 30,
  });
  const { rows } = await sql`select subject_id from license_notice`.execute(database.db);
  expect(rows).toEqual([{ subject_id: restored.id }]);
  expect(await pass(day('2027-06-20'))).toBe(0);
});

it('notices are deleted when no licence can need them any more', async () => {
  await caller.agents.create({ ...ana, licenses: [{ number: 'A1', expiresOn: '2027-06-30' }] });
  await pass(day('2027-06-30'));
  const left = async () => (await sql`select from license_notice`.execute(database.db)).rows.length;
  await deleteOldNotices(database.db, new Date(day('2029-06-29')));
  expect(await left()).toBe(1);
  await deleteOldNotices(database.db, new Date(day('2029-07-02')));
  expect(await left()).toBe(0);
});
