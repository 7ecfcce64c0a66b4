// Changes many agents by jobs beside another writer, and undoes a job. `npm exec -- pnpm --filter @roster/load run jobs --agents 100000,1000000`.
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRosterClient, type Job } from '@roster/client';
import { connect } from '@roster/db';
import { insertSampleData } from '../../../packages/db/src/testing/sample-data.ts';
import { KEY, startDatabase, startServer } from './overload/processes.ts';

const { values: options } = parseArgs({
  options: {
    /** The sizes, each in a database of its own. */
    agents: { type: 'string', default: '100000,1000000' },
    /** The largest size at which the job is undone too. */
    undo: { type: 'string', default: '100000' },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
/** The pause of the other writer between two updates. */
const WRITER_PAUSE_MS = 20;
const BASELINE_MS = 5_000;

type Client = ReturnType<typeof createRosterClient>;

/** Another writer, which updates one agent after the other until it is stopped: the durations, in milliseconds, sorted. */
function startWriter(client: Client, ids: readonly string[]) {
  const durations: number[] = [];
  let isStopped = false;
  async function write(): Promise<void> {
    for (let n = 0; !isStopped; n += 1) {
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      const started = performance.now();
      await client.agents.update.mutate({ id, bio: `Written ${n}` });
      durations.push(performance.now() - started);
      await setTimeout(WRITER_PAUSE_MS);
    }
  }
  const writing = write();
  return {
    stop: async () => {
      isStopped = true;
      await writing;
      return durations.toSorted((a, b) => a - b);
    },
  };
}

const ms = (value: number | undefined) => `${(value ?? 0).toFixed(0)} ms`;
const waits = (sorted: number[]) =>
  `${sorted.length} updates of another writer: median ${ms(sorted[Math.floor(sorted.length / 2)])}, ` +
  `p99 ${ms(sorted[Math.floor(sorted.length * 0.99)])}, longest ${ms(sorted.at(-1))}`;

async function ended(client: Client, { id }: Job): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get.query({ id });
    if (job.finishedAt !== null) return job;
    await setTimeout(500);
  }
}

function rateOf({ startedAt, finishedAt, createdAt, processed }: Job): string {
  const seconds = (Date.parse(finishedAt ?? '') - Date.parse(createdAt)) / 1_000;
  const first = ((Date.parse(startedAt ?? '') - Date.parse(createdAt)) / 1_000).toFixed(1);
  return `${seconds.toFixed(1)} s, ${Math.round(processed / seconds)} records/s, the first batch after ${first} s`;
}

/** Fails the run if a job has not changed every record: then its figures say nothing. */
function check({ status, changed, total, rejected }: Job, expected: number): void {
  if (changed + rejected === total && changed >= expected) return;
  throw new Error(`the job ended as ${status}: ${changed} of ${total} changed, ${rejected} rejected`);
}

async function measure(agents: number): Promise<void> {
  await using database = await startDatabase();
  {
    await using _ = await startServer(database.url);
    await using db = connect({ connection: database.url, timeouts: { statementMs: 0 } });
    await insertSampleData(db, agents);
  }
  await using server = await startServer(database.url);
  const client = createRosterClient({ url: `http://127.0.0.1:${server.port}`, key: KEY });
  const { items, total = 0 } = await client.agents.list.query({ limit: 200, includeTotal: true });
  const ids = items.map(({ id }) => id);
  say(`${total} agents`);
  const alone = startWriter(client, ids);
  await setTimeout(BASELINE_MS);
  say(`  without a job: ${waits(await alone.stop())}`);
  const change = { type: 'update' as const, patch: { title: 'Broker' } };
  const filter = { all: true as const };
  const dryStarted = performance.now();
  await client.agents.bulk.mutate({ filter, change, dryRun: true });
  say(`  dry run: ${ms(performance.now() - dryStarted)}`);
  const writer = startWriter(client, ids);
  const started = performance.now();
  const answer = await client.agents.bulk.mutate({ filter, change, expectedCount: total });
  say(`  accepted: ${ms(performance.now() - started)}`);
  if (!('id' in answer)) throw new Error('no job was accepted');
  const job = await ended(client, answer);
  check(job, total);
  say(`  update: ${rateOf(job)}`);
  say(`  meanwhile: ${waits(await writer.stop())}`);
  if (agents > Number(options.undo)) return;
  const undo = await ended(client, await client.jobs.undo.mutate({ id: job.id }));
  check(undo, total - ids.length);
  say(`  undo: ${rateOf(undo)}`);
}

for (const size of options.agents.split(',')) await measure(Number(size));
