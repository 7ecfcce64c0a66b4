import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inspectLocalPostgres } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/http/receiver.ts';
import { requestsThatWait } from '../support/locks.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';
import { webhooksOf } from '../support/webhooks.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

/** Resolves when a request waits for a lock: then it has reached its statement. */
const untilRequestWaits = ({ db }: Database) => expect.poll(() => requestsThatWait(db)).toBeGreaterThan(0);

/** What a probe sees: a status, or that the connection is refused. */
function seen(service: ServiceProcess, path: string): Promise<number | 'refused'> {
  return fetch(`${service.url}${path}`).then(
    ({ status }) => status,
    () => 'refused',
  );
}

it('a server that is told to stop is not ready, accepts no connections, finishes requests, releases deliveries, and exits with 0', async () => {
  await using database = await createTestDatabase();
  await using receiver = await startReceiver();
  receiver.onMessage = () => 'hang';
  const settings = {
    ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
    // Long enough to be seen by probes of a busy machine.
    ROSTER_DRAIN_DELAY_MS: '2000',
    // The request that waits for the lock ends within it; the hanging receiver is waited for until its end.
    ROSTER_DRAIN_MS: '5000',
  };
  await using service = await startServiceProcess({ databaseUrl: database.url, settings });
  await webhooksOf(service).create({ url: receiver.url });
  expect((await service.request('POST', '/offices', { name: 'Lisboa' })).status).toBe(201);
  await expect.poll(() => receiver.received.length).toBe(1);
  const { running, ended } = await database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const begun = service.request('POST', '/offices', { name: 'Porto' });
    await untilRequestWaits(database);
    const end = service.end('SIGTERM');
    await expect.poll(() => seen(service, '/readyz'), { interval: 5 }).toBe(503);
    expect(await seen(service, '/healthz')).toBe(200);
    await expect.poll(() => seen(service, '/healthz'), { interval: 5 }).toBe('refused');
    return { running: begun, ended: end };
  });
  expect((await running).status).toBe(201);
  expect(await ended).toBe(0);
  const { rows: offices } = await sql`select name from office order by name`.execute(database.db);
  expect(offices).toEqual([{ name: 'Lisboa' }, { name: 'Porto' }]);
  const { rows: claimed } = await sql`
    select from webhook_delivery where claim is not null or due_at > now()`.execute(database.db);
  expect(claimed).toEqual([]);
});

describe('with the local PostgreSQL', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'roster-shutdown-'));
    // The user that PostgreSQL runs as when the tests run as root has to get in.
    await chmod(dataDir, 0o755);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const isRunning = async () => (await inspectLocalPostgres(dataDir)).running !== undefined;

  it('a signal that arrives twice within a second, as npm forwards it, stops the server and PostgreSQL in order', async () => {
    await using service = await startServiceProcess({ dataDir, settings: { ROSTER_DRAIN_DELAY_MS: '300' } });
    expect(await isRunning()).toBe(true);
    service.signal('SIGINT');
    await expect.poll(() => service.output()).toContain('SIGINT: finishing what runs');
    expect(await service.end('SIGINT')).toBe(0);
    expect(service.output()).not.toContain('Stopped at once');
    expect(await isRunning()).toBe(false);
  });

  it('a second signal later stops the server at once, and PostgreSQL too', async () => {
    await using service = await startServiceProcess({
      dataDir,
      settings: { ROSTER_DRAIN_DELAY_MS: '60000' },
    });
    service.signal('SIGTERM');
    await expect.poll(() => service.output()).toContain('SIGTERM: finishing what runs');
    await setTimeout(1_100);
    expect(await service.end('SIGTERM')).toBe(143);
    expect(service.output()).toContain('Stopped at once.\n');
    expect(await isRunning()).toBe(false);
  });
});
