import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked } from '../../harness/src/caller.ts';
import { measureCpu } from '../../harness/src/cpu.ts';
import { fill } from '../../harness/src/directory/data.ts';
import { readOptions } from '../../harness/src/options.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { Running } from './contestants.ts';
import { type Bench, waitUntilCompared, withBench } from './database.ts';
import { loadFor } from './load.ts';

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

/** Creates copies of existing records, and measures after how many seconds each is in a pair. */
async function createAgain({ client }: Bench, server: Running): Promise<number[]> {
  const { rows } = await client.query(
    `select first_name as "firstName", last_name as "lastName", licenses from agent
     where mls_id like 'M%' and substr(mls_id, 2)::int % 20 = 1 limit $1`,
    [news],
  );
  const waits: number[] = [];
  for (const body of rows) {
    const { id } = await server.ask<{ id: string }>({ method: 'POST', path: '/agents', body });
    const start = performance.now();
    const search = { method: 'GET', path: `/agents/duplicates?recordId=${id}` };
    while ((await server.ask<{ items: unknown[] }>(search)).items.length === 0) await sleep(50);
    waits.push((performance.now() - start) / 1_000);
  }
  return waits;
}

/** What is measured with and without the comparison, by a number that is new each time. */
const writes = {
  create: (n: number): Asked => ({
    method: 'POST',
    path: '/agents',
    body: {
      firstName: 'Ana',
      lastName: `Reis ${n}`,
      phone: `+1512${5_550_000 + (n % 9_999)}`,
      licenses: [{ number: `T${n}`, region: 'TX' }],
    },
  }),
  patch: (n: number, ids: string[]): Asked => ({
    method: 'PATCH',
    path: `/agents/${ids[n % ids.length]}`,
    body: { bio: `${n} ${performance.now()}` },
  }),
};

/** The comparison of changes, which is stopped as if all that will ever happen were compared: a lock would keep dead rows alive and make writes slower. */
const SWITCH = {
  without: 'update comparison set position = 9000000000000000000',
  with: 'update comparison set position = (select last_position from event_log)',
};

/** Measures a write with and without the comparison, in turns. */
async function measureInTurns({ client, postmaster }: Bench, server: Running, name: keyof typeof writes) {
  const { rows } = await client.query<{ id: string }>(CALLABLE);
  const ids = rows.map(({ id }) => id);
  let n = 0;
  const next = () => writes[name](++n, ids);
  const results: { turn: string; perSecond: number; cpuMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [turn, statement] of round % 2 === 0
      ? Object.entries(SWITCH)
      : Object.entries(SWITCH).reverse()) {
      await client.query(statement);
      const { result, serverUs, databaseUs } = await measureCpu({ server: server.pid, postmaster }, () =>
        loadFor(server, Array(callers).fill(next), seconds),
      );
      const perSecond = result.responses / result.seconds;
      results.push({ turn, perSecond, cpuMs: (serverUs + databaseUs) / 1_000 / result.responses });
    }
  const sayBoth = (figure: 'perSecond' | 'cpuMs', digits: number, unit: string) => {
    const [without = 0, compared = 0] = Object.keys(SWITCH).map((turn) =>
      medianOf(results.filter((result) => result.turn === turn).map((result) => result[figure])),
    );
    const difference = ((compared / without - 1) * 100).toFixed(1);
    say(
      `${name}: ${without.toFixed(digits)} ${unit} without, ${compared.toFixed(digits)} with, ${difference} %`,
    );
  };
  sayBoth('perSecond', 0, 'a second');
  sayBoth('cpuMs', 3, 'ms of CPU each');
}

async function measure(bench: Bench): Promise<void> {
  const { client, postmaster } = bench;
  await fill(client, { offices: 1_000, agents });
  await client.query(AGAIN);
  await client.query('vacuum analyze agent');
  say(`${agents} agents and ${agents / 20} of them twice`);
  await using server = new Running(bench);
  await server.start();
  const started = performance.now();
  const cpu = await measureCpu({ server: server.pid, postmaster }, () => waitUntilCompared(client));
  const lastedS = ((performance.now() - started) / 1_000).toFixed(0);
  const [serverS, databaseS] = [cpu.serverUs, cpu.databaseUs].map((us) => (us / 1e6).toFixed(0));
  say(`Searched in ${lastedS} s, with ${serverS} s of CPU of the server and ${databaseS} s of PostgreSQL`);
  const { rows } = await client.query<{ known: number; found: number }>(FOUND);
  const [{ known, found } = { known: 0, found: 0 }] = rows;
  say(`Found ${found} of ${known} known duplicates: ${((found / known) * 100).toFixed(1)} %`);
  const waits = await createAgain(bench, server);
  const [median, most] = [medianOf(waits), Math.max(...waits)].map((wait) => wait.toFixed(1));
  say(`A new record is in a pair after ${median} s, at most ${most} s`);
  await measureInTurns(bench, server, 'create');
  await measureInTurns(bench, server, 'patch');
}

await withBench(measure);
