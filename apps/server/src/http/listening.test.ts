import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { prepareListening } from './listening.ts';

const at = { host: '127.0.0.1', port: 0 };

const textOf = async (url: string) => (await fetch(url, { headers: { Connection: 'close' } })).text();

it('accepts a hundred connections within 25 iterations of the event loop', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  const url = await prepareListening(app)(at);
  let accepted = 0;
  app.server.on('connection', () => {
    accepted += 1;
  });
  const port = Number(new URL(url).port);
  const clients = Array.from({ length: 100 }, () => connect({ host: at.host, port }));
  const start = performance.now();
  // The kernel completes the connections while this process does nothing.
  while (performance.now() - start < 100);
  for (let iteration = 0; iteration < 25; iteration += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(accepted).toBe(100);
  for (const client of clients) client.destroy();
  await app.close();
});

it('closes every socket with the application, after the response to each request that has arrived', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  const blocked = Promise.withResolvers<string>();
  let arrived = 0;
  app.get('/', async () => {
    arrived += 1;
    return blocked.promise;
  });
  const url = await prepareListening(app)(at);
  const responses = Promise.all(Array.from({ length: 32 }, () => textOf(url)));
  await expect.poll(() => arrived).toBe(32);
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await setTimeout(100);
  expect(isClosed).toBe(false);
  blocked.resolve('done');
  expect(new Set(await responses)).toEqual(new Set(['done']));
  await closed;
  const [error] = await once(connect({ host: at.host, port: Number(new URL(url).port) }), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
