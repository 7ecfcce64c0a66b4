import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@roster/db';
import { refreshStats } from '../../../../packages/api/src/stats/service.ts';
import { textOf } from '../../../harness/src/directory/dialects.ts';
import { openWire } from '../../../harness/src/load/wire.ts';
import { KEY } from '../contestants.ts';
import type { Bench } from '../database.ts';
import type { ServerProcess } from '../server-process.ts';
import { gather } from './history.ts';
import type { Ask } from './probes.ts';

/** What takes seconds, and is measured once at a size. */
export const longRunNames = [
  'counting for the stats',
  'preview of a bulk change',
  'bulk change, accepted',
  'bulk change, done',
  'scheduling the changes',
  'changes due at once, all made',
] as const;

export interface LongRun {
  name: (typeof longRunNames)[number];
  seconds: number;
  /** How many records it is about; undefined if all. */
  records: number | undefined;
}

interface Options {
  bench: Bench;
  server: ServerProcess;
  ask: Ask;
}

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1_000;
}

/** Counts the directory as the server does in the background, and stores the counts for the probe of the stats. */
export async function countStats(url: string): Promise<LongRun> {
  await using db = connect({ connection: url, pool: { max: 1 }, timeouts: { statementMs: 0 } });
  const seconds = await secondsOf(() => refreshStats(db, new Date()));
  return { name: 'counting for the stats', seconds, records: undefined };
}

async function bulk(
  { ask }: Options,
  { officeId, records }: { officeId: string; records: number },
): Promise<LongRun[]> {
  const change = { type: 'update', patch: { title: `Consultant ${Date.now()}` } };
  const body = { filter: { officeId: [officeId] }, change };
  const send = (more: object) => ask({ method: 'POST', path: '/agents/bulk', body: { ...body, ...more } });
  const preview = await secondsOf(async () => {
    const { count } = (await send({ dryRun: true })) as { count: number };
    if (count !== records) throw new Error(`the bulk change selects ${count} agents instead of ${records}`);
  });
  let id = '';
  const accepted = await secondsOf(async () => {
    ({ id } = (await send({ expectedCount: records })) as { id: string });
  });
  const rest = await secondsOf(() => ended(ask, id, records));
  return [
    { name: 'preview of a bulk change', seconds: preview, records },
    { name: 'bulk change, accepted', seconds: accepted, records },
    { name: 'bulk change, done', seconds: accepted + rest, records },
  ];
}

async function ended(ask: Ask, id: string, records: number): Promise<void> {
  for (;;) {
    const job = (await ask({ method: 'GET', path: `/jobs/${id}` })) as {
      finishedAt: string | null;
      status: string;
      changed: number;
    };
    if (job.finishedAt === null) await sleep(100);
    else if (job.changed === records) return;
    else throw new Error(`the job ended as ${job.status}: ${job.changed} of ${records} agents were changed`);
  }
}

const CONNECTIONS = 32;
/** How many requests a second schedule changes, at the least. */
const SCHEDULED_PER_S = 200;

/** Sends a request for each id, over a few connections. */
async function sendAll({ port }: ServerProcess, ids: readonly string[], body: object): Promise<void> {
  const waiting = [...ids];
  const run = async () => {
    const wire = await openWire(port, () => undefined);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const request = textOf({ method: 'PUT', path: `/agents/${id}/transfer`, body }, KEY);
      const { status, body: text } = await wire.ask(request);
      if (status !== 200) throw new Error(`a change was not scheduled: ${status} ${text}`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
}

/** Schedules a transfer of each agent for one time, and waits until all are made. */
async function scheduled(
  { bench: { client }, server }: Options,
  { ids, officeId }: { ids: string[]; officeId: string },
): Promise<LongRun[]> {
  const records = ids.length;
  const effectiveAt = new Date(Date.now() + 3_000 + (records / SCHEDULED_PER_S) * 1_000);
  const scheduling = await secondsOf(() =>
    sendAll(server, ids, { officeId, effectiveAt: effectiveAt.toISOString() }),
  );
  if (Date.now() > effectiveAt.getTime()) throw new Error('the changes were due before all were scheduled');
  for (;;) {
    const { rows } = await client.query<{ pending: number; done: number; seconds: number }>(
      `select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'done')::int as done,
         extract(epoch from max(finished_at) - $1::timestamptz)::float8 as seconds
       from scheduled_change where effective_at = $1::timestamptz(3)`,
      [effectiveAt],
    );
    const { pending = 0, done = 0, seconds = 0 } = rows[0] ?? {};
    if (pending > 0) await sleep(500);
    else if (done !== records) throw new Error(`${done} of ${records} changes were made`);
    else {
      return [
        { name: 'scheduling the changes', seconds: scheduling, records },
        { name: 'changes due at once, all made', seconds, records },
      ];
    }
  }
}

/** A bulk change of a group of agents, and a scheduled change of each of them. */
export async function runLong(options: Options): Promise<LongRun[]> {
  const { from, to, ids } = await gather(options.bench.client);
  const records = ids.length;
  return [
    ...(await bulk(options, { officeId: from, records })),
    ...(await scheduled(options, { ids, officeId: to })),
  ];
}
