import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { Event } from '@roster/api';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { bodyOf, type Page } from '../support/fixtures.ts';
import { type Message, messagesOf } from '../support/http/server-sent-events.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { Replica } from '../support/processes/replica.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';
import { writeEverything } from '../support/processes/write-load.ts';

/** 10,000 in `npm exec -- pnpm --filter @roster/server run feed`. */
const CHANGES = Number(process.env.ROSTER_TEST_CHANGES ?? 400);
/** How often the second server is killed; each start of one costs more than a second of CPU. */
const KILLS = Math.ceil(CHANGES / 1_000) + 1;
const WRITERS = 8;
const SEED = Number(process.env.ROSTER_TEST_SEED ?? Date.now() % 1_000_000);

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Reads pages until told to stop, and then to the end; saves now and then, and crashes now and then. */
async function consume(server: TestServer, replica: Replica, isOver: () => boolean): Promise<void> {
  const random = randomOf(SEED + 1);
  for (;;) {
    const wasOver = isOver();
    const limit = 1 + Math.floor(random() * 60);
    const response = await server.request('GET', `/events?after=${replica.after}&limit=${limit}`);
    const page = await bodyOf<{ items: Event[]; nextAfter: string; hasMore: boolean }>(response);
    replica.apply(page);
    if (random() < 0.4) replica.save();
    if (random() < 0.1) replica.crash();
    else if (wasOver && !page.hasMore) return;
    if (!page.hasMore) await setTimeout(20);
  }
}

/** The positions that a stream brings, which goes on elsewhere whenever it breaks off. */
async function followAnywhere(urls: () => string[], key: string, signal: AbortSignal): Promise<number[]> {
  const positions: number[] = [];
  let place = '0';
  for (let round = 0; !signal.aborted; round += 1) {
    const url = urls()[round % urls().length];
    const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': place };
    const response = await fetch(`${url}/events/stream`, { headers, signal }).catch(() => undefined);
    if (response?.status !== 200) {
      await setTimeout(50);
      continue;
    }
    try {
      for await (const { id, data } of messagesOf(response) as AsyncGenerator<Message>) {
        if (data !== undefined) positions.push(JSON.parse(data).position);
        if (id !== undefined) place = id;
      }
    } catch {
      // It broke off; what had arrived whole is counted, and the next one goes on from there.
    }
  }
  return positions;
}

async function textsOf({ request }: TestServer, collection: string): Promise<string[]> {
  const found: { id: string }[] = [];
  let cursor = '';
  do {
    const page = await bodyOf<Page<{ id: string }>>(
      await request('GET', `/${collection}?limit=200${cursor && `&cursor=${cursor}`}`),
    );
    found.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).map((record) => JSON.stringify(record));
}

/** Statements under way on all connections but the one that asks. */
async function underWay({ database }: TestServer): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()
  `.execute(database.db);
  return rows.length;
}

it(`rebuilds every record from the feed alone while ${WRITERS} writers change ${CHANGES} on two servers, one killed repeatedly (seed ${SEED})`, async () => {
  await using stable = await startTestServer();
  const { url: databaseUrl } = stable.database;
  const start = () =>
    startServiceProcess({ databaseUrl, key: stable.key, settings: { ROSTER_LOG_LEVEL: 'silent' } });
  let mortal: ServiceProcess | undefined = await start();
  const leaving = new AbortController();
  const urls = () => [stable.url, ...(mortal ? [mortal.url] : [])];
  const streamed = followAnywhere(urls, stable.key, leaving.signal);
  let isOver = false;
  const replica = new Replica();
  const consumed = consume(stable, replica, () => isOver);

  const written = writeEverything({
    servers: () => [stable.request, ...(mortal ? [mortal.request] : [])],
    random: randomOf(SEED),
    changes: CHANGES,
    writers: WRITERS,
  }).finally(() => {
    isOver = true;
  });
  for (let kill = 0; kill < KILLS && !isOver; kill += 1) {
    await setTimeout(300);
    await mortal?.kill();
    mortal = undefined;
    mortal = await start();
  }
  await written;
  // What a killed server had sent may still wait for a lock, and is committed when it gets it.
  await expect.poll(() => underWay(stable)).toBe(0);
  const waiting = stable.database.db.selectFrom('event').select('id').where('position', 'is', null);
  await expect.poll(async () => (await waiting.execute()).length).toBe(0);
  // What was committed may have been given its position after the consumer's last look.
  await consumed;
  await consume(stable, replica, () => true);

  for (const [table, collection] of [['office', 'offices'] as const, ['agent', 'agents'] as const]) {
    // The names of a record stand in no order that means anything.
    const rebuilt = replica.texts(table).map((text) => JSON.parse(text));
    const listed = (await textsOf(stable, collection)).map((text) => JSON.parse(text));
    expect(rebuilt).toEqual(listed);
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from event`.execute(
    stable.database.db,
  );
  const count = rows[0]?.count ?? 0;
  expect(count).toBeGreaterThan(CHANGES / 3);
  await setTimeout(500);
  leaving.abort();
  await mortal?.end('SIGTERM');
  expect(await streamed).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});
