import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hasHaproxy, startHaproxy } from './haproxy.ts';

const HEAD =
  'POST /offices HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n';

/** A server that is ready, notes what it is sent, and begins a stream when it is asked for one. */
async function startServer() {
  const requests: string[] = [];
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.end();
    requests.push(`${request.method} ${request.url}`);
    if (request.url !== '/stream') return void request.resume().once('end', () => response.end('done'));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1000\n\n');
    streams.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      for (const stream of streams) stream.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

it.runIf(await hasHaproxy())(
  'sends a request to a server when its body has arrived, and passes a stream on as it comes',
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-haproxy-'));
    using server = await startServer();
    await using balancer = await startHaproxy([server.port], directory.path);
    const url = `http://127.0.0.1:${balancer.port}`;
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
    server.requests.length = 0;
    const socket = connect({ host: '127.0.0.1', port: balancer.port });
    let result = '';
    socket.on('data', (bytes) => {
      result += bytes.toString();
    });
    socket.write(`${HEAD}{"name":`);
    await sleep(200);
    expect(server.requests).toEqual([]);
    socket.write('"Porto"}');
    await expect.poll(() => result).toContain('done');
    expect(server.requests).toEqual(['POST /offices']);
    socket.destroy();
    const stream = await fetch(`${url}/stream`);
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('retry: 1000\n\n');
  },
);
