import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, bodyOf, type Page } from '../support/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

/** Ten in `npm exec -- pnpm --filter @roster/server run durability`; each start of the whole service costs more than a second of CPU. */
const KILLS = Number(process.env.ROSTER_TEST_KILLS ?? 2);
const CLIENTS = 6;
/** How many records each round is to add before it is cut short. */
const WRITES = 100;
const GONE = null;

/** What the service said is done: the bio of each office by id, or that it is gone. */
type Acknowledged = Map<string, string | null>;

let dataDir: string;
let server: ServiceProcess | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roster-durability-'));
  // Root's database runs as a user without rights, who must be able to pass, or it lives elsewhere and stays there.
  await chmod(dataDir, 0o711);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

/** A service whose database is gone says so, and acknowledges nothing by it. */
function checkServed({ status }: Response): void {
  if (status === 503) throw new Error('the database was gone');
}

/** One client: creates, changes and deletes until the service is gone; a response is the only proof it takes. */
async function write({ request }: ServiceProcess, name: string, acknowledged: Acknowledged): Promise<void> {
  for (let count = 0; ; count += 1) {
    const create = await request('POST', '/offices', { name: `${name}.${count}` });
    checkServed(create);
    const { id, bio } = await bodyOf<{ id: string; bio: string | null }>(create);
    acknowledged.set(id, bio ?? '');
    if (count % 3 === 0) continue;
    // While a change is on its way, both what was and what will be is right.
    acknowledged.delete(id);
    const change =
      count % 3 === 1
        ? await request('PATCH', `/offices/${id}`, { bio: name })
        : await request('DELETE', `/offices/${id}`);
    checkServed(change);
    expect(change.ok).toBe(true);
    acknowledged.set(id, count % 3 === 1 ? name : GONE);
  }
}

async function all({ request }: ServiceProcess): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = await bodyOf<Page<Body & { id: string }>>(
      await request('GET', `/offices?limit=200${query}`),
    );
    for (const { id, bio } of page.items) found.set(id, String(bio ?? ''));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** Kills the server, and now and then the database with it, in the middle of what they do. */
async function kill(running: ServiceProcess, withDatabase: boolean): Promise<void> {
  if (withDatabase) {
    const [pid] = (await readFile(join(running.data, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }
  await running.end('SIGKILL');
}

/** What was acknowledged and is not so. */
async function lostIn(running: ServiceProcess, acknowledged: Acknowledged): Promise<unknown[]> {
  const found = await all(running);
  return [...acknowledged].filter(([id, bio]) => (bio === GONE ? found.has(id) : found.get(id) !== bio));
}

describe('SIGKILL during writes', () => {
  it('loses no acknowledged write, each time', async () => {
    const acknowledged: Acknowledged = new Map();
    server = await startServiceProcess({ dataDir, settings: { ROSTER_LOG_LEVEL: 'silent' } });
    for (let round = 1; round <= KILLS; round += 1) {
      const running = server;
      const before = acknowledged.size;
      const clients = Array.from({ length: CLIENTS }, (_, client) =>
        write(running, `${round}.${client}`, acknowledged),
      );
      const ended = Promise.allSettled(clients);
      while (acknowledged.size < before + WRITES) await setTimeout(20);
      await kill(running, round % 3 === 0);
      // Where the database is killed too, it is so a moment before the server.
      const ends = round % 3 === 0 ? /fetch failed|terminated|database was gone/ : /fetch failed|terminated/;
      for (const result of await ended) {
        expect(String(result.status === 'rejected' && result.reason)).toMatch(ends);
      }
      server = await startServiceProcess({ dataDir, settings: { ROSTER_LOG_LEVEL: 'silent' } });
      expect(await lostIn(server, acknowledged), `after kill ${round}`).toEqual([]);
    }
    const { end } = server;
    server = undefined;
    expect(await end('SIGTERM')).toBe(0);
  });
});
