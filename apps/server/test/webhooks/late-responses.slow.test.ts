import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { type Reply, startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let server: TestServer;
beforeAll(async () => {
  // A retry that followed the schedule would come after the end of the test.
  const retryDelaysMs = QUICKLY.retryDelaysMs.map(() => DAY_MS);
  // An attempt lasts until its webhook is changed, however long that takes.
  server = await startTestServer({ webhooks: { ...QUICKLY, retryDelaysMs, timeoutMs: 300_000 } });
});
afterAll(() => server[Symbol.asyncDispose]());

const changes = {
  'is enabled again': () => [{ status: 'disabled' }, { status: 'active' }],
  'gets another URL': (url: string) => [{ url: `${url}/moved` }],
};
const replies: Exclude<Reply, string>[] = [
  { status: 410 },
  { status: 429, headers: { 'Retry-After': '86400' } },
  { status: 500 },
];

describe.each(Object.entries(changes))('a webhook that %s during an attempt', (_, changesOf) => {
  it.each(replies)(
    'stays active and is sent the message again at once if the response is $status',
    async (late) => {
      await using receiver = await startReceiver();
      const { promise, resolve: respond } = Promise.withResolvers<Reply>();
      receiver.onMessage = ({ count }) => (count === 1 ? promise : { status: 204 });
      const { id } = await webhooksOf(server).create({ url: receiver.url });
      await directoryOf(server).office();
      await until(() => receiver.received.length === 1, 'the attempt');
      for (const change of changesOf(receiver.url)) await webhooksOf(server).patch(id, change);
      respond(late);
      const statuses = async () =>
        (await webhooksOf(server).deliveries(id)).map(({ attempts }) => attempts.map(({ status }) => status));
      await expect.poll(statuses).toEqual([[late.status, 204]]);
      expect(await webhooksOf(server).get(id)).toMatchObject({ status: 'active', pausedUntil: null });
      await server.request('DELETE', `/webhooks/${id}`);
    },
  );
});
