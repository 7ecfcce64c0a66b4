import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

/** As many messages of one webhook are in progress at most, and at first. */
const MOST = 50;
const FIRST = 10;

let database: TestDatabase;
let receiver: Receiver;
beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

type Requests = Pick<TestServer, 'request'>;

/** Creates offices, and changes each once, in two calls. */
async function write({ request }: Requests, count: number, label: string): Promise<void> {
  for (const name of ['First', 'Second']) {
    const records = Array.from({ length: count }, (_, index) => ({
      source: { name: 'MLS', key: `${label}-${index}` },
      name: `${name} ${index}`,
    }));
    const response = await request('POST', '/imports/offices', { records, mode: 'upsert' });
    expect(response.status, await response.text()).toBe(200);
  }
}

/** The versions of each record in the order in which they arrived, repetitions left out. */
function versionsInOrder(): unknown[][] {
  const seen = new Map<unknown, unknown[]>();
  for (const { data, count } of receiver.received)
    if (count === 1) seen.set(data.subject, [...(seen.get(data.subject) ?? []), data.version]);
  return [...seen.values()];
}

describe('a receiver that keeps up', () => {
  it('is sent more messages at a time than at first, in order for each record, and never more than fifty', async () => {
    await using server = await startTestServer({
      database,
      webhooks: { ...QUICKLY, timeoutMs: 60_000, graceMs: 0 },
    });
    let open = 0;
    let mostOpen = 0;
    let isHanging = false;
    receiver.onMessage = () => {
      if (isHanging) {
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        return 'hang';
      }
      return { status: 204 };
    };
    await webhooksOf(server).create({ url: receiver.url });
    await write(server, 200, 'quick');
    await until(() => receiver.taken.length === 400, 'every event');
    expect(receiver.received).toHaveLength(400);
    expect(versionsInOrder()).toEqual(Array(200).fill([1, 2]));
    isHanging = true;
    await write(server, 200, 'silent');
    await until(() => open > FIRST, 'more than at first');
    expect(mostOpen).toBeLessThanOrEqual(MOST);
  });
});

describe('a server that is killed while it delivers many events', () => {
  it('loses none, and another server repeats those alone that were in progress', async () => {
    await using doomed = await startServiceProcess({
      databaseUrl: database.url,
      settings: { ROSTER_LOG_LEVEL: 'silent', ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    await write(doomed, 200, 'killed');
    // After 150 messages those that are in progress stay so.
    receiver.onMessage = () => (receiver.received.length > 150 ? 'hang' : { status: 204 });
    const { id } = await webhooksOf(doomed).create({ url: receiver.url, after: '0' });
    await until(() => receiver.received.length > 150, 'many messages');
    await doomed.kill();
    receiver.onMessage = () => ({ status: 204 });
    await using other = await startTestServer({ database, webhooks: QUICKLY });
    await sql`
      update webhook_delivery set due_at = now() - interval '1 s' where claim is not null`.execute(
      database.db,
    );
    const isDone = async () =>
      (await webhooksOf(other).get(id)).readTo >= 400 &&
      (await sql`select from webhook_delivery where status <> 'delivered'`.execute(database.db)).rows
        .length === 0;
    await until(isDone, 'every delivery');
    expect(versionsInOrder()).toEqual(Array(200).fill([1, 2]));
    expect(receiver.received.length - 400).toBeLessThanOrEqual(MOST);
  });
});
