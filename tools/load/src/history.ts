import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { connect, type Database, migrate } from '@roster/db';
import { startPostgresVersion } from '@roster/local-postgres/testing/postgres-versions';
import { type Kysely, sql } from 'kysely';
import { compactEvents } from '../../../packages/api/src/event-log/compaction.ts';
import { assignPositions } from '../../../packages/api/src/event-log/sequencer.ts';
import { callerIn } from '../../../packages/api/test/support/caller.ts';

/**
 * Fills the event log with events of two years (10,000,000 unless `--events` says otherwise), and says what they cost: bytes of
 * an event, the time of a change and of reads in a small log and in the full one, and the time to end a month of the history. For
 * comparison it also drops a table with the events of a month.
 */

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000000' }, agents: { type: 'string', default: '200000' } },
});
const [events, agents] = [Number(values.events), Number(values.agents)];
const CHUNK = 500_000;
const DAYS = 730;
const MONTH_DAYS = DAYS / 24;
const ROUNDS = 2_000;
const directory = mkdtempSync(join(tmpdir(), 'roster-history-'));
// If root runs this, PostgreSQL runs as the user nobody, who needs access.
chmodSync(directory, 0o755);

const say = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function timed<Result>(run: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

/** The median of the times of calls, one after the other, in milliseconds. */
async function median(count: number, call: (round: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) times.push((await timed(() => call(round))).ms);
  return `${(times.toSorted((one, other) => one - other)[Math.floor(count / 2)] ?? 0).toFixed(2)} ms`;
}

const agentId = (n: number) => `01980000-0000-7000-8000-${String(n).padStart(12, '0')}`;

async function insertAgents(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, email, phone, title, languages,
      licenses, address_line1, address_city, address_region, address_postal_code, address_country, source_name, source_key)
    select ('01980000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, time, time, time,
      (array['Ana', 'João', '陽菜', 'Ελένη'])[1 + n % 4], 'Figueiredo ' || n, 'agent' || n || '@history.example',
      '+351 910 ' || lpad(n::text, 6, '0'), 'Consultant', array['pt-PT', 'en'],
      jsonb_build_array(jsonb_build_object('number', 'CI-' || n, 'region', '11', 'type', 'Broker', 'expiresOn', '2027-12-31')),
      'Rua da Prata ' || n % 100, 'Lisboa', '11', '1100-420', 'PT', 'MLS', n::text
    from generate_series(1, ${agents}::int) as n, lateral (select now() - interval '730 days') as at (time)`.execute(
    db,
  );
}

/** Events in the order of time; each changes the agent that has waited longest. */
async function insertEvents(db: Kysely<Database>, from: number, to: number): Promise<void> {
  await sql`
    insert into event (position, type, subject_id, version, occurred_at, actor_id, request_id, record, previous)
    select n, 'agent.updated', agent.id, 2 + n / ${agents}::int,
      now() - ${DAYS} * interval '1 day' + n::float8 / ${events}::float8 * ${DAYS} * interval '1 day', null, 'history-' || n,
      agent.record, json_build_object('phone', '+351 910 000 000', 'updatedAt', '2026-01-31T08:00:00.000Z', 'version', 1)
    from generate_series(${from}::int, ${to}::int) as n join agent
      on agent.id = ('01980000-0000-7000-8000-' || lpad((1 + n % ${agents}::int)::text, 12, '0'))::uuid
    order by n`.execute(db);
  await sql`update event_log set last_position = ${to}`.execute(db);
}

async function saySize(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ count: number; table: number; indexes: number }>`
    select count(*)::float8 as count, pg_table_size('event')::float8 as table, pg_indexes_size('event')::float8 as indexes
    from event`.execute(db);
  const { count = 0, table = 0, indexes = 0 } = rows[0] ?? {};
  const [rowBytes, indexBytes] = [Math.round(table / count), Math.round(indexes / count)];
  say(
    `${count} events: ${((table + indexes) / 1e9).toFixed(2)} GB, for each ${rowBytes} bytes and ${indexBytes} in indexes`,
  );
}

/** What a change, the log and the history of a record cost now. */
async function sayCosts(db: Kysely<Database>): Promise<void> {
  const caller = callerIn(db);
  const idOf = (round: number) => agentId(1 + ((round * 7_919) % agents));
  const change = await median(ROUNDS, (round) =>
    caller.agents.update({ id: idOf(round), phoneExt: `${round}` }),
  );
  const { ms } = await timed(async () => {
    while ((await assignPositions(db)) > 0);
  });
  const history = await median(200, (round) => caller.agents.history({ id: idOf(round) }));
  const blame = await median(200, (round) => caller.agents.blame({ id: idOf(round) }));
  const page = await median(200, () => caller.events.list({ after: 'latest' }));
  say(`  a change ${change}, its position ${(ms / ROUNDS).toFixed(3)} ms`);
  say(`  a page of the history ${history}, blame ${blame}, the end of the log ${page}`);
}

/** Ends the oldest month, in which every record was changed again later, and drops a table with as many events. */
async function sayEndOfMonth(db: Kysely<Database>): Promise<void> {
  for (const month of ['the first month', 'the next month']) {
    const retentionDays = month === 'the first month' ? DAYS - MONTH_DAYS : DAYS - 2 * MONTH_DAYS;
    const { ms, result } = await timed(() => compactEvents(db, { now: new Date(), retentionDays }));
    say(`${month}: ${result} events deleted in ${seconds(ms)}`);
  }
  const { ms } = await timed(() => sql`vacuum event`.execute(db));
  say(`vacuum of the whole log afterwards: ${seconds(ms)}`);
  const copied = await timed(async () => {
    await sql`create table month (like event including indexes)`.execute(db);
    await sql`insert into month select * from event order by position limit ${Math.round(events / 24)}::int`.execute(
      db,
    );
  });
  const dropped = await timed(() => sql`drop table month`.execute(db));
  say(`a month copied to a table of its own: ${seconds(copied.ms)}; dropped: ${seconds(dropped.ms)}`);
}

async function measure(): Promise<void> {
  await using postgres = await startPostgresVersion(join(directory, 'data'));
  await using db = connect({ connection: postgres.connection, timeouts: { statementMs: 0 } });
  await migrate(db);
  for (const setting of [`max_wal_size = '8GB'`, `checkpoint_timeout = '15min'`])
    await sql.raw(`alter system set ${setting}`).execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  say(`PostgreSQL ${postgres.version}, ${agents} agents`);
  await insertAgents(db);
  const small = Math.min(10_000, events);
  await insertEvents(db, 1, small);
  await sql`vacuum analyze`.execute(db);
  await saySize(db);
  await sayCosts(db);
  await sql`delete from event where position is null or position > ${small}`.execute(db);
  const filled = await timed(async () => {
    for (let from = small + 1; from <= events; from += CHUNK)
      await insertEvents(db, from, Math.min(events, from + CHUNK - 1));
  });
  say(`filled in ${seconds(filled.ms)}`);
  await sql`vacuum analyze event`.execute(db);
  await saySize(db);
  await sayCosts(db);
  await sayEndOfMonth(db);
  await saySize(db);
}

try {
  await measure();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
