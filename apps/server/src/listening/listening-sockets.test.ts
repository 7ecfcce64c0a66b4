import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@roster/local-postgres/testing/proxy';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { prepareListening } from './listening-sockets.ts';

const host = '127.0.0.1';

/** An application that listens on a port, on all the sockets of the service. */
async function listening(port: number) {
  const app = fastify({ forceCloseConnections: 'idle' });
  app.get('/', async () => 'here');
  const listen = prepareListening(app);
  return { app, url: await listen({ host, port }) };
}

it('serves a port on all of its sockets, and none is left when the application is closed', async () => {
  const { app, url } = await listening(0);
  const responses = await Promise.all(
    Array.from({ length: 100 }, async () => (await fetch(url, { headers: { Connection: 'close' } })).text()),
  );
  expect(new Set(responses)).toEqual(new Set(['here']));
  await app.close();
  const late = connect({ host, port: Number(new URL(url).port) });
  const [error] = await once(late, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

it('says that a port is taken, by an application that listens like this one too', async () => {
  const port = await freePort();
  const { app } = await listening(port);
  await expect(listening(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await app.close();
});

it('is closed only when a request that came by any of the sockets is answered', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  const blocked = Promise.withResolvers<string>();
  let arrived = 0;
  app.get('/', async () => {
    arrived += 1;
    return blocked.promise;
  });
  const url = await prepareListening(app)({ host, port: 0 });
  const responses = Promise.all(
    Array.from({ length: 32 }, async () => (await fetch(url, { headers: { Connection: 'close' } })).text()),
  );
  await expect.poll(() => arrived).toBe(32);
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isClosed).toBe(false);
  blocked.resolve('done');
  expect(new Set(await responses)).toEqual(new Set(['done']));
  await closed;
});
