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
const QUIET_MS = 60_000;
const LOOK_EVERY_MS = 200;

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

/** Waits until nothing is under way any more; answers what did not come to its end in time. */
async function untilQuiet({ database, client }: Cluster, workload: Workload): Promise<string[]> {
  const late: string[] = [];
  const numberOf = async (query: string) => {
    const [row] = await database.query<{ count: number }>(`select (${query})::int as count`);
    return row?.count;
  };
  const wait = (what: string, isSo: () => Promise<boolean>) =>
    until(what, isSo, { withinMs: QUIET_MS, everyMs: LOOK_EVERY_MS }).catch((error) =>
      late.push(error.message),
    );
  const none = (what: string, query: string) => wait(what, async () => (await numberOf(query)) === 0);
  await none('every job has ended', 'select count(*) from job where finished_at is null');
  // Before the followers: each writes an event.
  await none(
    'every scheduled change is made',
    `select count(*) from scheduled_change where status = 'pending'`,
  );
  await none('every event has its position', 'select count(*) from event where position is null');
  const end = (await numberOf('select coalesce(max(position), 0) from event')) ?? 0;
  await wait('the followers have come to the end', async () =>
    workload.followers.every((follower) => placeOf(follower) >= end),
  );
  // What failed waits for its next attempt, unless the webhook gets another address.
  const hurried = { id: workload.webhookId, url: `${workload.receiver.url}/hurried` };
  await wait(
    'the webhook is changed',
    async () => (await client.webhooks.update.mutate(hurried)).url === hurried.url,
  );
  await none(
    'every delivery is made',
    `select count(*) from webhook where read_to < (select last_position from event_log)
      or exists (select from webhook_delivery where status = 'pending')`,
  );
  return late;
}

type Collected = Omit<Evidence, 'attempts' | 'faults'>;

/** Waits until nothing is under way any more, and reads all there is, through the API where that shows it. */
export async function collect(cluster: Cluster, workload: Workload): Promise<Collected> {
  const { database, client, balancer, servers } = cluster;
  const late = await untilQuiet(cluster, workload);
  const log = await readLog(client);
  const tables = forEachCollection((): Seen[] => []);
  for (const name of collections)
    for await (const record of client[name].all({ limit })) tables[name].push(seenOf(record));
  const rows = await database.query<{ count: number }>('select count(*)::int as count from event');
  const admin = await database.query<{ position: number }>(
    'select position::int as position from admin_event',
  );
  return {
    log,
    logRows: rows[0]?.count ?? -1,
    adminPositions: new Set(admin.map(({ position }) => position)),
    schedules: await whole(client.scheduledChanges.all({ limit })),
    tables,
    jobs: await whole(client.jobs.all({ limit })),
    found: await findMerged(balancer.port, log),
    followers: workload.followers,
    told: { collection: 'offices', messages: workload.receiver.messages },
    lasting: [...servers.flatMap(({ ends }) => ends), ...late],
  };
}
