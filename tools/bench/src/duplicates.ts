import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { cpuOf, cpuOfPostgres } from '../../harness/src/cpu.ts';
import { fill } from '../../harness/src/directory/data.ts';
import { readOptions } from '../../harness/src/options.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { KEY } from './contestants.ts';
import { type Bench, openBench, postmasterOf } from './database.ts';
import { interruptible } from './interrupt.ts';
import { type ServerProcess, startOurs } from './server-process.ts';

/**
 * The search for duplicates: `npm --prefix tools/bench run duplicates`. Of many agents, a twentieth of whom are there twice, how long the
 * whole search takes after an upgrade, how much of the known duplicates it finds, and how soon a new record is compared; then
 * creations and patches with the comparison and without it, in turns.
 */

const { agents, news, rounds, seconds, callers } = readOptions({
  agents: 1_000_000,
  news: 20,
  rounds: 6,
  seconds: 10,
  callers: 16,
});

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Agents who are there again: the name with a letter doubled, the licence and the mobile telephone, in another office. */
const AGAIN = `
  insert into agent (id, status_changed_at, created_at, updated_at, first_name, last_name, office_id, mobile_phone, licenses,
    address_city, address_country)
  select md5('again' || id)::uuid, now(), now(), now(), first_name, left(last_name, 3) || substr(last_name, 3),
    (select id from office order by id desc limit 1), mobile_phone, licenses, address_city, 'US'
  from agent where mls_id like 'M%' and substr(mls_id, 2)::int % 20 = 0`;

/** The share of these that are listed by default. */
const FOUND = `
  select count(*)::int as known, count(*) filter (where exists (
    select from duplicate_pair where collection = 'agents' and score >= 0.8
      and first_id in (agent.id, md5('again' || agent.id)::uuid) and second_id in (agent.id, md5('again' || agent.id)::uuid)))::int as found
  from agent where mls_id like 'M%' and substr(mls_id, 2)::int % 20 = 0`;

/** Agents to patch: the ids of the others are digests and no UUIDs of RFC 9562. */
const CALLABLE = `select id::text from agent where id::text ~ '^.{14}[1-8].{4}[89ab]' limit 5000`;

async function request(server: ServerProcess, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; items: unknown[] };
}

/** Waits until all agents are compared. Returns the seconds, and the CPU seconds of server and database. */
async function search({ client }: Bench, server: ServerProcess) {
  const postmaster = (await postmasterOf(client)) ?? 0;
  const usedBy = () => ({ server: cpuOf(server.pid) / 1e6, database: cpuOfPostgres(postmaster) / 1e6 });
  const [start, before] = [performance.now(), usedBy()];
  for (;;) {
    const { rows } = await client.query<{ is_complete: boolean; compared: number }>(
      `select is_complete, (select count(*)::int from compared_record where collection = 'agents') as compared
       from comparison where collection = 'agents'`,
    );
    if (rows[0]?.is_complete) break;
    say(`  ${rows[0]?.compared ?? 0} after ${((performance.now() - start) / 1_000).toFixed(0)} s`);
    await setTimeout(10_000);
  }
  const after = usedBy();
  const lasted = (performance.now() - start) / 1_000;
  return { lasted, server: after.server - before.server, database: after.database - before.database };
}

/** Creates records that are there already, and measures after how many seconds each is in a pair. */
async function newRecords({ client }: Bench, server: ServerProcess): Promise<number[]> {
  const { rows } = await client.query<{ firstName: string; lastName: string; licenses: object[] }>(
    `select first_name as "firstName", last_name as "lastName", licenses from agent
     where mls_id like 'M%' and substr(mls_id, 2)::int % 20 = 1 limit $1`,
    [news],
  );
  const waits: number[] = [];
  for (const one of rows) {
    const { id } = await request(server, 'POST', '/agents', one);
    const start = performance.now();
    while ((await request(server, 'GET', `/agents/duplicates?recordId=${id}`)).items.length === 0)
      await setTimeout(50);
    waits.push((performance.now() - start) / 1_000);
  }
  return waits;
}

/** Calls the server by several callers at once for some seconds. Returns the calls a second, and the CPU of each, in ms. */
async function load({ client }: Bench, server: ServerProcess, call: (n: number) => Promise<unknown>) {
  const postmaster = (await postmasterOf(client)) ?? 0;
  const used = () => cpuOf(server.pid) + cpuOfPostgres(postmaster);
  const [start, before] = [performance.now(), used()];
  let count = 0;
  const caller = async () => {
    while (performance.now() - start < seconds * 1_000) {
      count += 1;
      await call(count);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return {
    perSecond: count / ((performance.now() - start) / 1_000),
    cpuMs: (used() - before) / 1_000 / count,
  };
}

type Load = Awaited<ReturnType<typeof load>>;

/** Stops the comparison of changes, as if all that will ever happen were compared; a lock would keep dead rows alive and make writes slower. */
const STOP = 'update comparison set position = 9000000000000000000';
const GO_ON = 'update comparison set position = (select last_position from event_log)';

/** Measures creations and patches with and without the comparison, in turns. */
async function inTurns(bench: Bench, server: ServerProcess): Promise<void> {
  const { rows } = await bench.client.query<{ id: string }>(CALLABLE);
  const calls = {
    create: (n: number) =>
      request(server, 'POST', '/agents', {
        firstName: 'Ana',
        lastName: `Reis ${n}`,
        phone: `+1512${String(5550000 + (n % 9_999))}`,
        licenses: [{ number: `T${n}`, region: 'TX' }],
      }),
    patch: (n: number) =>
      request(server, 'PATCH', `/agents/${rows[n % rows.length]?.id}`, { bio: `${n} ${performance.now()}` }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const results: Record<'with' | 'without', Load[]> = { with: [], without: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const turn of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        await bench.client.query(turn === 'without' ? STOP : GO_ON);
        const result = await load(bench, server, call);
        results[turn].push(result);
        say(`  ${name} ${turn}: ${result.perSecond.toFixed(0)}/s, ${result.cpuMs.toFixed(3)} ms`);
      }
    const of = (turn: 'with' | 'without', key: keyof Load) =>
      medianOf(results[turn].map((result) => result[key]));
    const part = (key: keyof Load) => `${((of('with', key) / of('without', key) - 1) * 100).toFixed(1)} %`;
    for (const turn of ['without', 'with'] as const)
      say(
        `${name} ${turn}: ${of(turn, 'perSecond').toFixed(0)}/s, ${of(turn, 'cpuMs').toFixed(3)} ms of CPU each`,
      );
    say(`${name}: throughput ${part('perSecond')}, CPU ${part('cpuMs')}`);
  }
}

async function measure(bench: Bench): Promise<void> {
  const started = performance.now();
  await fill(bench.client, { offices: 1_000, agents });
  const filled = (performance.now() - started) / 1_000;
  await bench.client.query(AGAIN);
  await bench.client.query('vacuum analyze agent');
  say(`${agents} agents and ${agents / 20} of them twice, made in ${filled.toFixed(0)} s`);
  await using server = await startOurs(bench.url);
  const { lasted, server: serverS, database } = await search(bench, server);
  const { rows } = await bench.client.query<{ known: number; found: number }>(FOUND);
  const [{ known, found } = { known: 0, found: 0 }] = rows;
  say(
    `Searched in ${lasted.toFixed(0)} s, with ${serverS.toFixed(0)} s of CPU of the server and ${database.toFixed(0)} s of PostgreSQL`,
  );
  say(`Found ${found} of ${known} known duplicates: ${((found / known) * 100).toFixed(1)} %`);
  const waits = await newRecords(bench, server);
  say(
    `A new record is in a pair after ${medianOf(waits).toFixed(1)} s, at most ${Math.max(...waits).toFixed(1)} s`,
  );
  await inTurns(bench, server);
}

await using bench = await openBench();
await interruptible(measure(bench));
