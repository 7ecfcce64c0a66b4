import { createServer } from 'node:net';
import { connect } from '@roster/db';
import { expect, it } from 'vitest';
import { createWorkers } from '../../src/workers/index.ts';

it('the workers ask nothing of the database before they are started, which is after the application is built', async () => {
  let connections = 0;
  await using stack = new AsyncDisposableStack();
  const database = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  stack.defer(() => new Promise<void>((resolve) => database.close(() => resolve())));
  await new Promise((resolve) => database.once('listening', resolve));
  const address = database.address();
  const connection = `postgres://roster@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/roster`;
  const db = stack.adopt(connect({ connection }), (opened) => opened.destroy());
  const failures: unknown[] = [];
  const workers = stack.use(
    createWorkers({
      connection,
      db,
      webhooks: { isPrivateAllowed: true },
      rateLimit: 60,
      retentionDays: 30,
      defaultCountry: undefined,
      onFailure: (error) => failures.push(error),
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect({ connections, failures }).toEqual({ connections: 0, failures: [] });
  workers.start();
  await expect.poll(() => connections).toBeGreaterThan(0);
});
