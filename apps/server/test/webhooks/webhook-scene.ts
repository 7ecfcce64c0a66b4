import { afterAll, beforeAll } from 'vitest';
import { next } from '../support/fixtures.ts';
import { type Receiver, startReceiver } from '../support/http/receiver.ts';
import { useServer } from '../support/use-server.ts';
import { QUICKLY, webhooksOf } from '../support/webhooks.ts';

/** What few changes send. */
export const quiet = { types: ['office.purged'] };

/** A server that delivers at once and a receiver for the tests of a file. */
export function useWebhooks() {
  const server = useServer({ webhooks: QUICKLY });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver[Symbol.asyncDispose]());
  return {
    server,
    receiver: () => receiver,
    aWebhook: (body: object = {}) =>
      webhooksOf(server()).create({ url: `${receiver.url}/${next()}`, ...quiet, ...body }),
  };
}
