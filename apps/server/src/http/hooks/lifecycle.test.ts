import { PassThrough } from 'node:stream';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerLifecycle } from './lifecycle.ts';

it('an application that closes also closes the connection of a response that began before, when that has ended', async () => {
  const app = fastify({ forceCloseConnections: 'idle', keepAliveTimeout: 60_000 });
  registerLifecycle(app, { stopping: new AbortController().signal, stalledMs: 60_000 });
  const body = new PassThrough();
  app.get('/', () => body);
  const url = await app.listen({ port: 0 });
  body.write('begun, ');
  const response = await fetch(url);
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  body.end('ended');
  expect(await response.text()).toBe('begun, ended');
  await closed;
});
