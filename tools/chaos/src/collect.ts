import { type Caller, openCaller } from '@roster/harness/caller';
import { until } from '@roster/harness/until';
import type { FoundAt, JobSeen, LogEvent, Schedule } from './checker/evidence.ts';
import type { Cluster } from './cluster/cluster.ts';
import { type Collection, collections, forEachCollection, type Seen, seenOf } from './history.ts';
import { logEventOf, type ShownEvent } from './workload/events.ts';
import type { Workload } from './workload/workload.ts';

const PAGE = 200;
const QUIET_MS = 60_000;
const LOOK_EVERY_MS = 200;
const READING_MS = 4_000;

/** Reads until it succeeds: nothing is broken any more. */
const read = <Body>(caller: Caller, path: string): Promise<Body> =>
  caller.persist<Body>({ method: 'GET', path }, READING_MS);

async function wholeLog(caller: Caller): Promise<LogEvent[]> {
  const log: LogEvent[] = [];
  for (let after = '0'; ; ) {
    const page = await read<{ items: ShownEvent[]; nextAfter: string; hasMore: boolean }>(
      caller,
      `/events?after=${after}&limit=${PAGE}`,
    );
    log.push(...page.items.map(logEventOf));
    if (!page.hasMore) return log;
    after = page.nextAfter;
  }
}

/** All pages of a list, whose path ends where parameters are added. */
async function wholeList<Item>(caller: Caller, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = '';
  do {
    const page = await read<{ items: Item[]; nextCursor?: string }>(
      caller,
      `${path}limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return items;
}

async function wholeTable(caller: Caller, collection: Collection): Promise<Seen[]> {
  const records = await wholeList<Parameters<typeof seenOf>[0]>(caller, `/${collection}?`);
  return records.map(seenOf);
}

/** Asks for each record that was ever merged into another one, by its id. */
async function findMerged(caller: Caller, log: readonly LogEvent[]): Promise<Map<string, FoundAt>> {
  const merged = log.filter(({ merge }) => merge?.into !== undefined);
  const found = new Map<string, FoundAt>();
  for (const { collection, subject } of merged) {
    if (found.has(subject)) continue;
    // Of what there is now, as in the clients: no record has the version 0.
    const latest = { 'If-None-Match': '"0"' };
    const asked = { method: 'GET', path: `/${collection}/${subject}`, headers: latest };
    const { status, headers } = await caller.send(asked);
    found.set(subject, { status, leadsTo: headers.location?.split('/').at(-1) });
  }
  return found;
}

/** What the deployment holds at the end, and what did not become of it in time. */
export interface Collected {
  log: LogEvent[];
  logRows: number;
  adminPositions: ReadonlySet<number>;
  schedules: Schedule[];
  jobs: JobSeen[];
  found: Map<string, FoundAt>;
  tables: Record<Collection, Seen[]>;
  late: string[];
}

/** Waits until nothing is under way any more, and reads all there is through the API. */
export async function collect(cluster: Cluster, workload: Workload): Promise<Collected> {
  const { database } = cluster;
  const caller = openCaller({ port: cluster.balancer.port, key: cluster.key });
  const late: string[] = [];
  const numberOf = async (query: string) => {
    const [row] = await database.query<{ count: number }>(`select (${query})::int as count`);
    return row?.count ?? -1;
  };
  const wait = async (what: string, isSo: () => Promise<boolean>) => {
    const times = { withinMs: QUIET_MS, everyMs: LOOK_EVERY_MS };
    await until(what, isSo, times).catch(() =>
      late.push(`${what} within ${QUIET_MS / 1_000} s of the last fault`),
    );
  };
  const unfinished = 'select count(*) from job where finished_at is null';
  await wait('not every job had ended', async () => (await numberOf(unfinished)) === 0);
  // Before the followers: each writes an event.
  const unmade = `select count(*) from scheduled_change where status = 'pending'`;
  await wait('not every scheduled change was made', async () => (await numberOf(unmade)) === 0);
  const unplaced = 'select count(*) from event where position is null';
  await wait('not every event had its position', async () => (await numberOf(unplaced)) === 0);
  const end = await numberOf('select coalesce(max(position), 0) from event');
  await wait('the followers had not come to the end', async () =>
    workload.followers.every((follower) => follower.place >= end),
  );
  // What failed waits for its next attempt, unless the webhook gets another address.
  const url = `${workload.receiver.url}/hurried`;
  await wait('the webhook could not be changed', async () => {
    const path = `/webhooks/${workload.webhookId}`;
    return (await caller.send({ method: 'PATCH', path, body: { url } })).status === 200;
  });
  const undelivered = `
    select count(*) from webhook where read_to < (select last_position from event_log)
      or exists (select from webhook_delivery where status = 'pending')`;
  await wait('not every delivery was made', async () => (await numberOf(undelivered)) === 0);
  const log = await wholeLog(caller);
  const schedules = await wholeList<Schedule>(caller, '/scheduled-changes?');
  const tables = forEachCollection((): Seen[] => []);
  for (const collection of collections) tables[collection] = await wholeTable(caller, collection);
  const jobs = await wholeList<JobSeen>(caller, '/jobs?');
  const found = await findMerged(caller, log);
  const logRows = await numberOf('select count(*) from event');
  const admin = await database.query<{ position: number }>(
    'select position::int as position from admin_event',
  );
  const adminPositions = new Set(admin.map(({ position }) => position));
  caller.close();
  return { log, logRows, adminPositions, schedules, jobs, tables, found, late };
}
