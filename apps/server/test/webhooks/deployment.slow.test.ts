import { setTimeout } from 'node:timers/promises';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import {
  type Received,
  type Receiver,
  type Reply,
  startReceiver,
  verified,
} from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

const OFFICES = 8;
const CHANGES = 4;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const serve = (more = {}) => startTestServer({ database, webhooks: { ...QUICKLY, ...more } });

/** Creates offices and changes each several times, through all servers at once. Returns the ids. */
async function change(servers: TestServer[]): Promise<string[]> {
  const directories = servers.map(directoryOf);
  const directory = (index: number) =>
    directories[index % directories.length] as ReturnType<typeof directoryOf>;
  return Promise.all(
    Array.from({ length: OFFICES }, async (_, index) => {
      const { id } = await directory(index).office();
      for (let version = 2; version <= CHANGES; version += 1) {
        await directory(index + version).patch('offices', id, { name: `Version ${version}` });
      }
      return id;
    }),
  );
}

const versionsOf = (messages: Received[], id: string) =>
  messages.filter(({ data }) => data.subject === id).map(({ data }) => data.version);
const everyVersion = Array.from({ length: CHANGES }, (_, index) => index + 1);

function isAllTaken({ taken }: Receiver): boolean {
  return new Set(taken.map(({ id }) => id)).size === OFFICES * CHANGES;
}

describe('two servers', () => {
  it('deliver every event once, in order for each record', async () => {
    await using first = await serve();
    await using second = await serve();
    await using receiver = await startReceiver();
    const { secret } = await webhooksOf(first).create({ url: receiver.url });
    const ids = await change([first, second]);
    await until(() => isAllTaken(receiver), 'every event');
    await setTimeout(3 * QUICKLY.pollMs);
    expect(receiver.received).toHaveLength(OFFICES * CHANGES);
    for (const id of ids) expect(versionsOf(receiver.received, id)).toEqual(everyVersion);
    for (const message of receiver.received) verified(message, secret);
  });

  it('deliver every event in order to a receiver that fails in many ways', async () => {
    // More attempts than in production: while the receiver is unavailable they follow each other as fast as the machine can.
    const patient = { timeoutMs: 300, retryDelaysMs: Array.from({ length: 999 }, () => 10) };
    await using first = await serve(patient);
    await using second = await serve(patient);
    await using receiver = await startReceiver();
    const { id: webhook, secret } = await webhooksOf(first).create({ url: receiver.url });
    const failures: [Reply, string][] = [
      [{ status: 500 }, 'returned 500'],
      ['cut', 'ECONNRESET'],
      ['hang', 'No response within 0.3 s.'],
      [{ status: 404 }, 'returned 404'],
      [{ status: 301 }, 'returned 301'],
      [{ status: 429, headers: { 'Retry-After': 'Sat, 01 Jan 2000 00:00:00 GMT' } }, 'returned 429'],
      [{ status: 503, headers: { 'Retry-After': '0' } }, 'returned 503'],
    ];
    // From the database, because the API documents no more attempts than there are in production.
    const errors = async () => {
      const { rows } = await sql<{ attempts: { error: string | null }[] }>`
        select attempts from webhook_delivery where webhook_id = ${webhook}`.execute(database.db);
      return rows.flatMap(({ attempts }) => attempts.map(({ error }) => error)).join();
    };
    let isGone = false;
    let isRecovered = false;
    let count = 0;
    receiver.onMessage = ({ data }) => {
      count += 1;
      // Every other message fails, and the last of each record until every failure has been recorded: on a busy machine any
      // attempt may have timed out before its reply.
      if (count === failures.length) isGone = true;
      if (isGone) return { status: 410 };
      const isFailing = !isRecovered && (count % 2 === 0 || data.version === CHANGES);
      return (isFailing && failures[count % failures.length]?.[0]) || { status: 204 };
    };
    const changed = change([first, second]);
    await until(async () => (await webhooksOf(second).get(webhook)).status === 'disabled', 'the 410');
    await receiver.stop();
    isGone = false;
    await webhooksOf(second).patch(webhook, { status: 'active' });
    await until(async () => (await errors()).includes('ECONNREFUSED'), 'the connection refused');
    await receiver.start();
    const ids = await changed;
    for (const [, error] of failures) await until(async () => (await errors()).includes(error), error);
    isRecovered = true;
    await until(() => isAllTaken(receiver), 'every event');
    for (const id of ids) {
      // A message whose response came too late is sent again.
      const versions = versionsOf(receiver.taken, id);
      expect([...new Set(versions)]).toEqual(everyVersion);
      expect(versions).toEqual(versions.toSorted());
    }
    for (const message of receiver.received) verified(message, secret);
    expect(await errors()).toContain('returned 410');
  });
});

describe('a server that is killed during a delivery', () => {
  it('leaves the delivery to another server when its lease has expired', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => 'hang';
    await using doomed = await startServiceProcess({
      databaseUrl: database.url,
      settings: { ROSTER_LOG_LEVEL: 'silent', ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    const { id, secret } = await webhooksOf(doomed).create({ url: receiver.url });
    const { id: office } = await directoryOf(doomed).office();
    await directoryOf(doomed).patch('offices', office, { name: 'Second' });
    await until(() => receiver.received.length > 0, 'the delivery');
    await doomed.kill();
    receiver.onMessage = () => ({ status: 204 });
    await using other = await serve();
    await setTimeout(5 * QUICKLY.pollMs);
    expect(receiver.received, 'no other server while the lease lasts').toHaveLength(1);
    await sql`
      update webhook_delivery set due_at = now() - interval '1 s' where webhook_id = ${id} and claim is not null`.execute(
      database.db,
    );
    await until(() => receiver.taken.length === 2, 'the delivery by the other one');
    expect(versionsOf(receiver.received, office)).toEqual([1, 1, 2]);
    for (const message of receiver.received) verified(message, secret);
    await until(
      async () => (await webhooksOf(other).deliveries(id)).every(({ status }) => status === 'delivered'),
      'the notes of it',
    );
  });
});

describe('a server that was suspended after it claimed a delivery', () => {
  it('does not send it, and releases it to another server at once', async () => {
    await using receiver = await startReceiver();
    const late = await serve({ sendWithinMs: 0 });
    const { id } = await webhooksOf(late).create({ url: receiver.url });
    await directoryOf(late).office();
    await until(async () => (await webhooksOf(late).deliveries(id)).length === 1, 'the delivery');
    await setTimeout(5 * QUICKLY.pollMs);
    await late[Symbol.asyncDispose]();
    expect(receiver.received).toHaveLength(0);
    await using other = await serve();
    await until(() => receiver.taken.length === 1, 'the delivery by the other one');
    await expect
      .poll(async () => (await webhooksOf(other).deliveries(id)).map(({ status }) => status))
      .toEqual(['delivered']);
  });
});

describe('a server that closes', () => {
  it('releases its deliveries, and another server makes them at once', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => 'hang';
    const leaving = await startTestServer({ database, webhooks: { ...QUICKLY, graceMs: 50 } });
    const { id } = await webhooksOf(leaving).create({ url: receiver.url });
    await directoryOf(leaving).office();
    await until(() => receiver.received.length === 1, 'the delivery');
    await leaving[Symbol.asyncDispose]();
    receiver.onMessage = () => ({ status: 204 });
    await using other = await serve();
    await until(() => receiver.taken.length === 1, 'the delivery by the other one');
    const seen = async () => (await webhooksOf(other).deliveries(id)).map(({ attempts }) => attempts.length);
    await expect.poll(seen).toEqual([1]);
  });
});

describe('a server whose database is unavailable for a moment', () => {
  /** Its deliveries go by the proxy, its requests do not. */
  const serveBy = ({ connection }: Pick<TestDatabase, 'connection'>) =>
    startTestServer({ database: { ...database, connection }, webhooks: QUICKLY });
  const isDelivered = async (server: TestServer, id: string) => {
    const deliveries = await webhooksOf(server).deliveries(id);
    return deliveries.length === 1 && deliveries[0]?.status === 'delivered';
  };

  it('records the result of a delivery when the database is available again, long before the lease expires', async () => {
    await using proxy = await startProxy(database);
    await using server = await serveBy(proxy);
    await using receiver = await startReceiver();
    receiver.onMessage = () => {
      proxy.cut();
      return { status: 204 };
    };
    const { id } = await webhooksOf(server).create({ url: receiver.url });
    await directoryOf(server).office();
    await until(() => receiver.taken.length === 1, 'the message');
    await proxy.mend();
    await until(() => isDelivered(server, id), 'the note of it');
    expect(receiver.received).toHaveLength(1);
  });

  it('releases a claim whose result was lost, long before the lease expires', async () => {
    let isSwallowed = false;
    const mayPass = (response: Buffer) => {
      // What was claimed comes with the secrets that sign it.
      if (isSwallowed || !response.includes('whsec_')) return true;
      isSwallowed = true;
      return false;
    };
    await using proxy = await startProxy(database, { mayPass });
    await using server = await serveBy(proxy);
    await using receiver = await startReceiver();
    const { id } = await webhooksOf(server).create({ url: receiver.url });
    await directoryOf(server).office();
    await until(() => isDelivered(server, id), 'the delivery');
    expect(isSwallowed).toBe(true);
    expect(receiver.received).toHaveLength(1);
  });

  it('releases a claim of a statement that commits after its connection was lost', async () => {
    const { db } = database;
    await sql`
      create function hold_claim() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(1);
        return new;
      end $$`.execute(db);
    await sql`
      create trigger hold_claim before update on webhook_delivery for each row
      when (old.claim is null and new.claim is not null) execute function hold_claim()`.execute(db);
    const isHeld = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`.execute(db);
      return rows.length > 0;
    };
    await using proxy = await startProxy(database);
    await using server = await serveBy(proxy);
    await using receiver = await startReceiver();
    const { id } = await webhooksOf(server).create({ url: receiver.url });
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(trx);
      await directoryOf(server).office();
      await until(isHeld, 'the claim');
      proxy.cut();
      const connections = proxy.connections();
      await proxy.mend();
      await until(() => proxy.connections() > connections, 'the next connection');
      // It looks again, and finds no claim that it could give back.
      await setTimeout(20 * QUICKLY.pollMs);
    });
    await until(() => isDelivered(server, id), 'the delivery');
    expect(receiver.received).toHaveLength(1);
  });
});
