import type { RosterClient } from '@roster/client';
import { openCaller } from '@roster/harness/caller';
import { until } from '@roster/harness/until';
import type { Evidence, FoundAt, LogEvent } from './checker/evidence.ts';
import type { Cluster } from './cluster/cluster.ts';
import { collections, forEachCollection, type Seen, seenOf } from './history.ts';
import { logEventOf, type ShownEvent } from './workload/events.ts';
import { placeOf } from './workload/follower.ts';
import type { Workload } from './workload/workload.ts';

const limit = 200;
const QUIET = { withinMs: 60_000, everyMs: 200 };

async function readLog({ events }: RosterClient): Promise<LogEvent[]> {
  const log: LogEvent[] = [];
  for (let after = '0', hasMore = true; hasMore; ) {
    const page = await events.list.query({ after, limit });
    log.push(...(page.items as ShownEvent[]).map(logEventOf));
    ({ nextAfter: after, hasMore } = page);
  }
  return log;
}

async function whole<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Asks for each record that was ever merged into another one, by its id. */
async function findMerged(port: number, log: readonly LogEvent[]): Promise<Map<string, FoundAt>> {
  const caller = openCaller({ port });
  const found = new Map<string, FoundAt>();
  for (const { collection, subject, merge } of log) {
    if (merge?.into === undefined || found.has(subject)) continue;
    // Of what there is now, as in the clients: no record has the version 0.
    const latest = { 'If-None-Match': '"0"' };
    const asked = { method: 'GET', path: `/${collection}/${subject}`, headers: latest };
    const { status, headers } = await caller.send(asked);
    found.set(subject, { status, leadsTo: headers.location?.split('/').at(-1) });
  }
  caller.close();
  return found;
}

/** Waits until nothing is under way any more, and reads all there is, through the API where that shows it. */
export async function collect(
  { database, client, balancer, servers }: Cluster,
  { followers, receiver, webhookId }: Workload,
): Promise<Omit<Evidence, 'attempts' | 'faults'>> {
  const late: string[] = [];
  const wait = (what: string, isSo: () => Promise<boolean>) =>
    until(what, isSo, QUIET).catch((error: Error) => late.push(error.message));
  const none = (what: string, rows: string) =>
    wait(what, async () => (await database.query(`select from ${rows} limit 1`)).length === 0);
  await none('every job has ended', 'job where finished_at is null');
  // Before the followers: each writes an event.
  await none('every scheduled change is made', `scheduled_change where status = 'pending'`);
  await none('every event has its position', 'event where position is null');
  const log = await readLog(client);
  const end = log.at(-1)?.position ?? 0;
  await wait('the followers have come to the end', async () => followers.every((one) => placeOf(one) >= end));
  // What failed waits for its next attempt, unless the webhook gets another address.
  const hurried = { id: webhookId, url: `${receiver.url}/hurried` };
  await wait(
    'the webhook is changed',
    async () => (await client.webhooks.update.mutate(hurried)).id === webhookId,
  );
  await none('every event is read', 'webhook where read_to < (select last_position from event_log)');
  await none('every delivery is made', `webhook_delivery where status = 'pending'`);
  const tables = forEachCollection((): Seen[] => []);
  for (const name of collections)
    for await (const record of client[name].all({ limit })) tables[name].push(seenOf(record));
  const admin = await database.query<{ position: number }>('select position::int from admin_event');
  return {
    log,
    logRows: (await database.query('select from event')).length,
    adminPositions: new Set(admin.map(({ position }) => position)),
    schedules: await whole(client.scheduledChanges.all({ limit })),
    tables,
    jobs: await whole(client.jobs.all({ limit })),
    found: await findMerged(balancer.port, log),
    followers,
    told: { collection: 'offices', messages: receiver.messages },
    lasting: [...servers.flatMap(({ ends }) => ends), ...late],
  };
}
