import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import type { Client } from 'pg';
import { measureCpu, pin } from '../../harness/src/cpu.ts';
import { drawTargets, fill, type Targets } from '../../harness/src/directory/data.ts';
import { markdownTable } from '../../harness/src/markdown.ts';
import { readOptions } from '../../harness/src/options.ts';
import { medianOf } from '../../harness/src/statistics.ts';
import { Running } from './contestants.ts';
import { type Bench, forgetWrites, skipComparing, withBench } from './database.ts';
import { load, loadFor, type Streams } from './load.ts';
import { describeMachine, withSection } from './report.ts';
import { say } from './turns.ts';
import { isWrite, streamsOf, type Work, works } from './works.ts';

/** Lists, search and patch in a small and a large directory, for a key of all offices and for one that is limited to some. */

const { sizes, turns, seconds, warmUp, connections, page } = readOptions({
  sizes: '100000,1000000',
  turns: 7,
  seconds: 1,
  warmUp: 3,
  connections: 16,
  page: false,
});

const OFFICES = 1_000;
/** Of a limited key, as many as a grant may have. */
const LIMIT_OFFICES = 100;
const measuredWorks = works.filter(({ name }) => ['list', 'search', 'patch'].includes(name));
const published = new URL('../../../docs/benchmark.md', import.meta.url);
const isPinned = availableParallelism() > 1;

/** The medians of one work at one size. */
interface Cost {
  work: string;
  access: string;
  cpuUs: number;
  p50Ms: number;
}

/** A key that is limited to some offices with agents, and the agents in them. */
async function limitedAccess(server: Running, client: Client, all: Targets) {
  const officeIds = all.officeIds.slice(0, LIMIT_OFFICES);
  const { secret } = await server.awake(() =>
    server.ask<{ secret: string }>({
      method: 'POST',
      path: '/keys',
      body: { name: 'Limited', scopes: ['agents:read', 'agents:write'], officeIds },
    }),
  );
  const { rows } = await client.query<{ id: string }>(
    'select id from agent where office_id = any($1::uuid[]) order by md5(id::text) limit 4000',
    [officeIds],
  );
  return { authorization: `Bearer ${secret}`, targets: { ...all, officeIds, ids: rows.map(({ id }) => id) } };
}

const withKey = (streams: Streams, authorization: string): Streams =>
  streams.map((next) => () => {
    const { headers, ...request } = next();
    return { ...request, headers: { ...headers, Authorization: authorization } };
  });

async function costOf(
  { client, postmaster }: Bench,
  server: Running,
  {
    work,
    access,
    targets,
    authorization,
  }: { work: Work; access: string; targets: Targets; authorization?: string },
): Promise<Cost> {
  const asked = await streamsOf(work, { targets, connections, client });
  const streams = authorization === undefined ? asked : withKey(asked, authorization);
  const forget = async () => void (isWrite(work) && (await forgetWrites(client)));
  const { ratePerS } = await server.awake(() => loadFor(server, streams, warmUp));
  await forget();
  const samples: { cpuUs: number; p50Ms: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const run = () => load(server, streams, Math.round(ratePerS * seconds));
    const measured = await server.awake(() => measureCpu({ server: server.pid, postmaster }, run));
    const { responses, failed, p50Ms } = measured.result;
    if (failed !== undefined) throw new Error(`${work.name}, ${access}: ${failed}`);
    samples.push({ cpuUs: (measured.serverUs + measured.databaseUs) / responses, p50Ms });
    await forget();
  }
  const median = (figure: 'cpuUs' | 'p50Ms') => medianOf(samples.map((sample) => sample[figure]));
  return { work: work.name, access, cpuUs: median('cpuUs'), p50Ms: median('p50Ms') };
}

/** Measures a directory of so many agents, in a PostgreSQL of its own. */
function measureSize(agents: number): Promise<Cost[]> {
  return withBench(async (bench) => {
    const { client } = bench;
    say(`filling ${agents} agents`);
    await fill(client, { offices: OFFICES, agents });
    const targets = await drawTargets(client);
    await using server = new Running(bench);
    await server.start();
    if (isPinned) pin(server.pid, '0');
    await skipComparing(client);
    if (isPinned) pin(process.pid, '1');
    await server.rest();
    const limited = await limitedAccess(server, client, targets);
    const costs: Cost[] = [];
    for (const work of measuredWorks)
      for (const one of [
        { access: 'all offices', targets },
        { access: `${limited.targets.officeIds.length} offices`, ...limited },
      ]) {
        costs.push(await costOf(bench, server, { work, ...one }));
        say(`${work.name}, ${one.access}: done`);
      }
    return costs;
  });
}

const counts = sizes.split(',').map(Number);
const measured: Cost[][] = [];
for (const count of counts) measured.push(await measureSize(count));
const [first = []] = measured;
const growth = (figure: 'cpuUs' | 'p50Ms', at: number) => {
  const [small, large] = [measured[0]?.[at], measured.at(-1)?.[at]];
  return small && large ? (large[figure] / small[figure]).toFixed(2) : '–';
};
const rows = first.map(({ work, access }, at) => [
  work,
  access,
  ...measured.map((costs) => {
    const { cpuUs = 0, p50Ms = 0 } = costs[at] ?? {};
    return `${Math.round(cpuUs).toLocaleString('en-US')}; ${p50Ms}`;
  }),
  growth('cpuUs', at),
]);
const headings = counts.map((count) => count.toLocaleString('en-US'));
const text = `## Growth

${describeMachine()}.

${connections} keep-alive connections; medians of ${turns} turns of about ${seconds} s. CPU of the server and PostgreSQL together for a request,
in µs, then the median of the latency in ms. The last column is how much the CPU grows from the first size to the last.

${markdownTable(['work', 'key of', ...headings, 'growth'], rows)}
`;
process.stdout.write(text);
if (page) await writeFile(published, withSection(await readFile(published, 'utf8'), text));
