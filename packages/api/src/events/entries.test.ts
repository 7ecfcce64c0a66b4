import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf, limitedTo } from '../../test/support/context.ts';
import { explained, scans, sorts } from '../../test/support/query/plans.ts';
import { ADMIN, type Caller } from '../access/caller.ts';
import { type EntryQuery, queryEntries } from '../query.ts';

const EVENTS = 25_000;
/** The positions of the events of an office; all others are of agents. */
const OFFICE_EVENTS = [10, 20_000];
const OFFICE_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

let database: TestDatabase;
let listening: Kysely<Database>;
const said: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`
    insert into event (type, subject_id, version, occurred_at, record, position)
    select case when n = any(${OFFICE_EVENTS}::int[]) then 'office.updated' else 'agent.updated' end,
      case when n = any(${OFFICE_EVENTS}::int[]) then ${OFFICE_ID}::uuid else gen_random_uuid() end,
      1, now(), '{}', n
    from generate_series(1, ${EVENTS}::int) as n`.execute(database.db);
  await sql`update event_log set last_position = ${EVENTS}`.execute(database.db);
  await sql`vacuum analyze event`.execute(database.db);
  const onStatement = ({ sql: text }: { sql: string }) => said.push(text);
  listening = connect({ connection: database.connection, onStatement });
});
afterAll(async () => {
  await listening.destroy();
  await database[Symbol.asyncDispose]();
});

const read = (query: Partial<EntryQuery>, caller: Caller = ADMIN) => {
  const whole = { after: '0', last: Number.MAX_SAFE_INTEGER, isDescending: false, skip: 0, limit: 2 };
  return queryEntries({ ...contextOf(listening), caller }, { ...whole, includeTotal: false, ...query });
};

const positionsOf = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ position }) => position);

it('a page is read from either end of the log, behind what is left out', async () => {
  const oldest = await read({ skip: 3, includeTotal: true });
  expect([positionsOf(oldest), oldest.next, oldest.skipped, oldest.total]).toEqual([[4, 5], '5', 3, EVENTS]);
  const newest = await read({ skip: 3, isDescending: true });
  expect([positionsOf(newest), newest.next]).toEqual([[EVENTS - 3, EVENTS - 4], String(EVENTS - 5)]);
  const part = { after: '7', last: 12, skip: 4, includeTotal: true };
  const end = await read(part);
  expect([positionsOf(end), end.next, end.total]).toEqual([[12], undefined, 5]);
  const beyond = await read({ ...part, skip: 9 });
  expect([positionsOf(beyond), beyond.next, beyond.skipped]).toEqual([[], undefined, 5]);
});

it('one page scans a bounded part of the log for a rare type, or for a limited caller, and leads to the next', async () => {
  const limited = await limitedTo(database.db, [OFFICE_ID]);
  const ways = [
    { caller: ADMIN, query: { types: ['office.updated' as const] }, scanned: 10_000 },
    { caller: limited, query: {}, scanned: 2_000 },
  ];
  for (const { caller, query, scanned } of ways) {
    const first = await read({ ...query, includeTotal: true }, caller);
    expect([positionsOf(first), first.next, first.total]).toEqual([[10], String(scanned), 2]);
    const last = await read({ ...query, isDescending: true }, caller);
    const isReached = scanned > EVENTS - 20_000;
    expect(positionsOf(last)).toEqual(isReached ? [20_000] : []);
    expect(last.next).toBe(String(EVENTS - scanned));
  }
  const found: number[] = [];
  let pages = 0;
  for (let next: string | undefined = String(EVENTS); next !== undefined; pages += 1) {
    const page = await read({ isDescending: true, last: Number(next) }, limited);
    found.push(...positionsOf(page));
    next = page.next;
  }
  expect([found, pages]).toEqual([OFFICE_EVENTS.toReversed(), Math.ceil(EVENTS / 2_000)]);
});

it.each<[string, Partial<EntryQuery>]>([
  ['the beginning', {}],
  ['the end', { isDescending: true }],
  ['a rare type', { isDescending: true, types: ['office.updated'] }],
  ['one record', { subject: OFFICE_ID }],
])('a page of %s reads the log by an index, without a sort of it', async (_, query) => {
  said.length = 0;
  await read(query);
  const values: Record<string, string> = { uuid: `'${OFFICE_ID}'`, 'text[]': "'{office.updated}'" };
  const nodes = await explained(database.db, String(said[0]), (type) => values[type] ?? '100');
  expect(scans(nodes)).toEqual([]);
  expect(sorts(nodes)).toEqual([]);
});
