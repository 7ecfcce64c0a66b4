import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { startOfDay } from './effective-time.ts';

const NOW = new Date('2026-01-31T08:00:00.000Z');
let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db, { now: () => NOW });
});
afterAll(() => database[Symbol.asyncDispose]());

describe('a day begins', () => {
  it.each([
    ['at midnight in UTC', 'UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['at midnight in winter', 'Europe/Lisbon', '2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['at midnight in summer', 'Europe/Lisbon', '2026-07-15', '2026-07-14T23:00:00.000Z'],
    [
      'on the day whose clocks change in the morning',
      'Europe/Lisbon',
      '2026-03-29',
      '2026-03-29T00:00:00.000Z',
    ],
    ['fourteen hours before UTC', 'Pacific/Kiritimati', '2026-03-01', '2026-02-28T10:00:00.000Z'],
    ['eleven hours after UTC', 'Pacific/Pago_Pago', '2026-03-01', '2026-03-01T11:00:00.000Z'],
    ['at an offset of quarters of an hour', 'Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15:00.000Z'],
    ['at 01:00, where clocks skip midnight', 'America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['at 01:00, where clocks skip midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['at 01:00, where clocks skip midnight', 'Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['at the first of two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    [
      'at the midnight that stays, where clocks go back to the day before',
      'America/Sao_Paulo',
      '2018-02-18',
      '2018-02-18T03:00:00.000Z',
    ],
    [
      'when the next one does, where the day is skipped',
      'Pacific/Apia',
      '2011-12-30',
      '2011-12-30T10:00:00.000Z',
    ],
  ])('%s (%s, %s)', async (_, zone, date, expected) => {
    expect((await startOfDay(database.db, { date, zone })).toISOString()).toBe(expected);
  });

  it('at its first moment, in every time zone', async () => {
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(database.db);
    const zone = fc.constantFrom(...rows.map(({ name }) => name));
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(zone, day, async (zone, time) => {
        const date = time.toISOString().slice(0, 10);
        const start = await startOfDay(database.db, { date, zone });
        const { rows } = await sql<{ isFirst: boolean }>`
          select (${start}::timestamptz at time zone ${zone}::text)::date >= ${date}::date
            and ((${start}::timestamptz - interval '1 ms') at time zone ${zone}::text)::date < ${date}::date as "isFirst"`.execute(
          database.db,
        );
        expect(rows).toEqual([{ isFirst: true }]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('effectiveOn', () => {
  const timeOf = ({ scheduledChanges }: { scheduledChanges: { effectiveAt: string }[] }) =>
    scheduledChanges[0]?.effectiveAt;
  const newOffice = (timeZone: string | null) => caller.offices.create({ name: 'Casa', timeZone });
  const newAgent = (officeId: string | null) =>
    caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId });
  const effectiveOn = '2026-07-15';

  it.each([
    ['that of the office', 'America/New_York', '2026-07-15T04:00:00.000Z'],
    ['UTC, if it has none', null, '2026-07-15T00:00:00.000Z'],
  ])('of an office has the time zone: %s', async (_, timeZone, expected) => {
    const { id } = await newOffice(timeZone);
    expect(timeOf(await caller.offices.deactivate({ id, effectiveOn }))).toBe(expected);
  });

  it.each([
    ['that of their office', 'America/New_York', '2026-07-15T04:00:00.000Z'],
    ['UTC, if the office has none', null, '2026-07-15T00:00:00.000Z'],
    ['UTC, if they have no office', undefined, '2026-07-15T00:00:00.000Z'],
  ])('of an agent has the time zone: %s', async (_, timeZone, expected) => {
    const { id } = await newAgent(timeZone === undefined ? null : (await newOffice(timeZone)).id);
    expect(timeOf(await caller.agents.deactivate({ id, effectiveOn }))).toBe(expected);
  });

  it('of a transfer has the time zone of the new office', async () => {
    const [from, to] = [await newOffice('America/New_York'), await newOffice('Asia/Tokyo')];
    const { id } = await newAgent(from.id);
    expect(timeOf(await caller.agents.transfer({ id, officeId: to.id, effectiveOn }))).toBe(
      '2026-07-14T15:00:00.000Z',
    );
    const moved = await caller.offices.transferAgents({ id: from.id, toOfficeId: to.id, effectiveOn });
    expect(timeOf(moved)).toBe('2026-07-14T15:00:00.000Z');
  });

  it.each(['2026-01-31', '2026-01-01', '0000-01-01'])('%s has begun, and so is now', async (day) => {
    const { id } = await newAgent(null);
    expect(await caller.agents.deactivate({ id, effectiveOn: day })).toMatchObject({
      status: 'inactive',
      scheduledChanges: [],
    });
  });

  it('of a time zone that the database does not know asks for a time', async () => {
    const { id } = await newOffice('UTC');
    await sql`update office set time_zone = 'Mars/Olympus' where id = ${id}`.execute(database.db);
    const error = await rejected(caller.offices.deactivate({ id, effectiveOn }));
    expect([error.errorCode, ...fieldErrorsOf(error)]).toEqual([
      'validation_failed',
      '#/effectiveOn unknown_time_zone',
    ]);
  });
});

describe('effectiveAt', () => {
  const newAgent = () => caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });

  it('that has passed is now', async () => {
    const { id } = await newAgent();
    const agent = await caller.agents.deactivate({ id, effectiveAt: NOW.toISOString() });
    expect(agent).toMatchObject({ status: 'inactive', scheduledChanges: [] });
  });

  it.each([
    [{ effectiveAt: '2036-01-31T08:00:00.001Z' }, '#/effectiveAt out_of_range'],
    [{ effectiveOn: '2036-02-01' }, '#/effectiveOn out_of_range'],
    [{ effectiveOn: '9999-12-31' }, '#/effectiveOn out_of_range'],
    [{ effectiveAt: '2026-02-01T00:00:00Z', effectiveOn: '2026-02-01' }, '#/effectiveOn not_allowed'],
  ])('%j is rejected: %s', async (effective, expected) => {
    const { id } = await newAgent();
    expect(fieldErrorsOf(await rejected(caller.agents.deactivate({ id, ...effective })))).toEqual([expected]);
  });
});
