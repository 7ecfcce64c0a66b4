import process from 'node:process';
import { createReadRouter } from '@roster/api/server';
import { connect, migrate, openReplicas, type Replicas, resolveTarget } from '@roster/db';
import { startPrimary, startStandby, type TestPostgres } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { diagnose } from '../../src/diagnostics/index.ts';
import { bearer, keyWith } from '../../test/support/auth/keys.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';

/** A real primary with a real standby, and a server that reads from the standby; one after the other, then failover. */

/** The whole of it in `npm exec -- pnpm --filter @roster/server run replicas`: what takes seconds is left out of the suite. */
const isLong = process.env.ROSTER_TEST_REPLICAS === 'long';

const stack = new AsyncDisposableStack();
let primary: TestPostgres;
let standby: TestPostgres;
let replicas: Replicas;
let server: TestServer;
/** The headers of a caller whose key has written nothing. */
let stranger: Record<string, string>;

beforeAll(async () => {
  // The hardest case: a commit is acknowledged before it is on the disk, or anywhere but in memory.
  primary = stack.use(await startPrimary({ settings: { synchronous_commit: 'off' } }));
  standby = stack.use(await startStandby(primary, { name: 'standby' }));
  const hosts = [primary, standby].map(({ connection }) => `127.0.0.1:${connection.port}`);
  const place = resolveTarget(`postgres://test@${hosts.join()}/test`);
  const db = stack.adopt(connect({ connection: place }), (opened) => opened.destroy());
  await migrate(db);
  replicas = stack.use(openReplicas({ db, urls: [standby.url] }));
  const { connection, url } = primary;
  const database = { db, connection, url, [Symbol.asyncDispose]: async () => undefined };
  const readRouter = createReadRouter(replicas);
  server = stack.use(await startTestServer({ database, connection: { connection: place }, readRouter }));
  const { secret } = await keyWith(server, ['offices:read']);
  stranger = bearer(secret);
  await vi.waitUntil(isWell, { timeout: 60_000 });
});
afterAll(() => stack.disposeAsync());

const isWell = () => replicas.states()[0]?.isHealthy;
const answered = () => replicas.states()[0]?.answered ?? 0;
const tokenOf = ({ headers }: Response) => headers.get('consistency-token') ?? '';

async function create(name: string): Promise<{ path: string; token: string }> {
  const answer = await server.request('POST', '/offices', { name });
  expect(answer.status).toBe(201);
  return { path: answer.headers.get('location') ?? '', token: tokenOf(answer) };
}

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request('GET', path, undefined, headers);

/** Lets the standby hear of everything and show nothing of it. */
async function stopReplay(): Promise<void> {
  await standby.query('select pg_wal_replay_pause()');
  const state = 'select pg_get_wal_replay_pause_state() as state';
  await expect.poll(async () => (await standby.query(state))[0]).toEqual({ state: 'paused' });
}

describe('reads with a replica', () => {
  it('go to the replica, and a read with the token of a write sees the write', async () => {
    const before = answered();
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let count = 0; count < 8; count += 1) {
          const { path, token } = await create('Seen at once');
          const answer = await get(path, { ...stranger, 'Consistency-Token': token });
          expect(answer.status).toBe(200);
          expect(tokenOf(answer) >= token).toBe(true);
        }
      }),
    );
    // It has them all once the log was flushed and sent, a fifth of a second later.
    const seenThere = async () => (await get('/offices', stranger)).ok && answered() > before;
    await expect.poll(seenThere).toBe(true);
  });

  it('go to the primary if the replica is behind what the token, the key or the version requires', async () => {
    await stopReplay();
    const { path, token } = await create('Not there yet');
    // The stranger has seen nothing, and may be shown what is old.
    const stale = await get(path, stranger);
    expect([stale.status, tokenOf(stale) < token]).toEqual([404, true]);
    expect((await get(path)).status).toBe(200);
    expect((await get(path, { ...stranger, 'Consistency-Token': token })).status).toBe(200);
    expect((await get(path, { ...stranger, 'If-None-Match': '"9"' })).status).toBe(200);
    expect((await get(path, { ...stranger, 'Consistency-Token': 'latest' })).status).toBe(200);
    const input = encodeURIComponent(JSON.stringify({ id: path.split('/').at(-1) }));
    const rpc = await get(`/trpc/offices.get?input=${input}`, { ...stranger, 'Consistency-Token': token });
    expect([rpc.status, tokenOf(rpc) >= token]).toEqual([200, true]);
    await standby.query('select pg_wal_replay_resume()');
    await expect.poll(async () => (await get(path, stranger)).status).toBe(200);
  });

  it('a rejected change returns a token of the state that rejected it', async () => {
    await stopReplay();
    const { path } = await create('Changed by another');
    await server.request('PATCH', path, { phone: '+351210000001' });
    const rejected = await server.request('PATCH', path, { phone: '+351210000002' }, { 'If-Match': '"1"' });
    expect(rejected.status).toBe(412);
    const answer = await get(path, { ...stranger, 'Consistency-Token': tokenOf(rejected) });
    expect(answer.headers.get('etag')).toBe('"2"');
    await standby.query('select pg_wal_replay_resume()');
  });

  it.runIf(isLong)('skip a replica while its lag is above the limit', async () => {
    await using strict = openReplicas({ db: server.database.db, urls: [standby.url], lagMaxMs: 500 });
    const isTaken = () => strict.states()[0]?.isHealthy;
    await expect.poll(isTaken).toBe(true);
    await stopReplay();
    await create('Makes it fall behind');
    await expect.poll(isTaken).toBe(false);
    await standby.query('select pg_wal_replay_resume()');
    await expect.poll(isTaken).toBe(true);
  });

  it.runIf(isLong)(
    'do not fail with a replica that is killed or hangs, and go there again when it is back',
    async () => {
      const { path } = await create('Always there');
      const readOn = async () =>
        Promise.all(Array.from({ length: 10 }, async () => (await get(path)).status));
      const all = Array.from({ length: 10 }, () => 200);
      const [statuses] = await Promise.all([readOn(), standby.kill('SIGKILL')]);
      expect(statuses).toEqual(all);
      expect(await readOn()).toEqual(all);
      await expect.poll(isWell).toBe(false);
      await standby.start();
      await expect.poll(isWell).toBe(true);
      const before = answered();
      await standby.pause();
      expect(await readOn()).toEqual(all);
      await standby.resume();
      await expect.poll(async () => (await readOn()) && answered() > before).toBe(true);
    },
  );

  it('reject an invalid token', async () => {
    const answer = await get('/offices', { 'Consistency-Token': '0/3000148' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_parameter' });
  });
});

it('--check finds the primary among several hosts, and reports the state of its standbys', async () => {
  const hosts = [standby, primary].map(({ connection }) => `127.0.0.1:${connection.port}`);
  const found = await diagnose({
    DATABASE_URL: `postgres://test@${hosts.join()}/test`,
    DATABASE_REPLICA_URLS: `${standby.url},${primary.url},postgres://test@127.0.0.1:1/test`,
    PORT: '0',
  });
  const of = (wanted: string) => found.filter(({ subject }) => subject === wanted);
  expect(of('rights')).toMatchObject([{ level: 'ok' }]);
  expect(of('replica')).toMatchObject([
    { level: 'ok', values: { isInRecovery: true, isOfPrimary: true, behindBytes: expect.any(Number) } },
    { level: 'warning', detail: expect.stringContaining('not a standby') },
    { level: 'warning', detail: expect.stringContaining('ECONNREFUSED') },
  ]);
});

describe('after a failover', () => {
  it('servers find the promoted standby, and a token of the lost primary delays no request', async () => {
    const { path, token } = await create('Replicated');
    const there = `select 1 as one from office where name = 'Replicated'`;
    await expect.poll(() => standby.query(there)).toEqual([{ one: 1 }]);
    await primary.kill('SIGKILL');
    await standby.promote();
    const write = () => server.request('POST', '/offices', { name: 'Afterwards' });
    let answer = await write();
    while (answer.status === 503) answer = await write();
    expect(answer.status).toBe(201);
    expect(tokenOf(answer) > token).toBe(true);
    // What the lost primary alone had, with asynchronous replication, would be a place beyond the promotion.
    for (const lost of [token, `${token.slice(0, 8)}00000FFF00000000`, 'F'.repeat(24)]) {
      const read = await get(path, { ...stranger, 'Consistency-Token': lost });
      expect(read.status).toBe(200);
    }
    await expect.poll(isWell).toBe(true);
  });
});
