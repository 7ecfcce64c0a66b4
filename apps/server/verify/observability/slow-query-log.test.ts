import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { RequestStats } from '../../src/observability/request-context.ts';
import { createSlowQueryLog } from '../../src/observability/slow-query-log.ts';
import { startWatchedService } from '../../test/support/processes/watched-service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** A slow query log with a clock of its own, and its lines. */
function watched(db: Kysely<Database>) {
  const lines: Record<string, unknown>[] = [];
  const clock = { nowMs: 0 };
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const slow = createSlowQueryLog({ log, thresholdMs: 500, nowMs: () => clock.nowMs });
  slow.explainOn(db);
  const record = (text: string, durationMs = 500) =>
    slow.record({ sql: text, durationMs }, new RequestStats('request-1'));
  return { record, lines, clock };
}

it('the line of a slow statement has its plan, with parameters and without values, for every kind of statement', async () => {
  const { record, lines } = watched(database.db);
  const statements = [
    'select name from office where id = $1 and status = any($2)',
    'insert into api_key (id, name, scopes, created_at, updated_at) values ($1, $2, $3, $4, $4)',
    'with gone as (delete from office where id = $1 returning id) select count(*) from gone',
    'update office set name = $2 where id = $1',
    'select 1',
  ];
  for (const text of statements) record(text);
  await expect.poll(() => lines).toHaveLength(statements.length);
  expect(lines.filter(({ plan }) => plan === undefined)).toEqual([]);
  expect(lines[0]).toMatchObject({
    reqId: 'request-1',
    durationMs: 500,
    sql: statements[0],
    plan: [{ Plan: { 'Node Type': 'Index Scan', 'Index Cond': expect.stringContaining('$1') } }],
  });
  const { rows } = await sql`select name from pg_prepared_statements where name like 'roster_slow%'`.execute(
    database.db,
  );
  expect(rows).toEqual([]);
});

it('a statement that is slow again within a minute is logged with its name and duration, without its text and plan', async () => {
  const { record, lines, clock } = watched(database.db);
  const text = 'select count(*) from agent';
  record(text, 499);
  record(text, 900);
  record(text, 600);
  await expect.poll(() => lines).toHaveLength(2);
  const [short, whole] = lines;
  expect(short).toMatchObject({ durationMs: 600, statement: whole?.statement });
  expect(short).not.toHaveProperty('sql');
  expect(whole).toMatchObject({ durationMs: 900, sql: text, plan: [{}] });
  clock.nowMs = 60_000;
  record(text, 700);
  await expect.poll(() => lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ sql: text, plan: [{}] });
});

it('plans are read one at a time, without executing the statement; one that cannot be read is logged as such', async () => {
  const asked: string[] = [];
  await using db = connect({
    connection: database.connection,
    onStatement: ({ sql: text }) => asked.push(text.split(' ', 1)[0] ?? ''),
  });
  const { record, lines } = watched(db);
  record('select 1; insert into event_log (is_only) values (false)');
  record('delete from office returning nothing');
  record("insert into webhook_secret (secret, webhook_id, created_at) values ('x', $1, now())");
  record('begin');
  await expect.poll(() => lines).toHaveLength(4);
  expect(lines.map(({ msg, plan }) => [msg, plan !== undefined])).toEqual([
    ['slow statement', false],
    ['slow statement', false],
    ['slow statement, whose plan could not be read', false],
    ['slow statement', true],
  ]);
  const explained = [
    'prepare',
    'deallocate',
    'prepare',
    'start',
    'set',
    'set',
    'explain',
    'commit',
    'deallocate',
  ];
  expect(asked).toEqual(explained);
});

it('on a server, a slow statement is logged with the id of its request, and its plan is read on no connection of requests', async () => {
  await using service = await startWatchedService(database, { ROSTER_SLOW_QUERY_MS: '40' });
  const lock = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const begun = service.request('POST', '/offices', { name: 'Porto' });
    await sql`select pg_sleep(0.06)`.execute(trx);
    return begun;
  });
  const { headers } = lock;
  const isIt = (line: Record<string, unknown>) =>
    line.msg === 'slow statement' && line.reqId === headers.get('x-request-id');
  await expect.poll(() => service.lines().filter(isIt)).toHaveLength(1);
  expect(service.lines().find(isIt)).toMatchObject({ plan: [{ Plan: expect.anything() }] });
  const line = service.lines().find(({ msg, method }) => msg === 'request' && method === 'POST');
  expect(line).toMatchObject({ statements: 1 });
});
