import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSender } from './http-sender.ts';

let sockets: Socket[];
let respond: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume().on('end', () => respond(response));
}).on('connection', (socket) => sockets.push(socket));

beforeEach(async () => {
  sockets = [];
  respond = (response) => response.writeHead(204).end();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

function senderOf(resolved: string[] = []) {
  return createSender({
    isPrivateAllowed: true,
    resolve: (hostname, _, callback) => {
      resolved.push(hostname);
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
}

const message = () => {
  const { port } = server.address() as AddressInfo;
  return { url: `http://receiver.example:${port}/hook`, headers: { 'Content-Length': '2' }, body: '{}' };
};

it('messages that follow each other use one connection, whatever the responses are', async () => {
  const sender = senderOf();
  const statuses = [204, 200, 500, 410, 200];
  for (const status of statuses) {
    respond = (response) => response.writeHead(status).end(status === 204 ? undefined : 'body');
    expect((await sender.send(message())).attempt).toMatchObject({ status });
  }
  expect(sockets).toHaveLength(1);
});

it('a connection is closed if no message follows', async () => {
  await senderOf().send(message());
  const [socket] = sockets as [Socket];
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('a connection whose response was not read to its end is not used again', async () => {
  const sender = senderOf();
  respond = (response) => response.writeHead(200).end('x'.repeat(200_000));
  for (let count = 0; count < 2; count += 1)
    expect((await sender.send(message())).attempt).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

it('a receiver that closes its connections is sent the next message on a new one', async () => {
  const sender = senderOf();
  await sender.send(message());
  const closed = sockets.map((socket) => once(socket, 'close'));
  server.closeAllConnections();
  await Promise.all(closed);
  await vi.waitFor(async () => expect((await sender.send(message())).attempt).toMatchObject({ status: 204 }));
  expect(sockets).toHaveLength(2);
});

it('the name of a receiver is resolved, and its addresses checked, again after a minute', async () => {
  const resolved: string[] = [];
  const sender = senderOf(resolved);
  for (let count = 0; count < 3; count += 1) await sender.send(message());
  expect(resolved).toHaveLength(1);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 61_000);
  for (let count = 0; count < 3; count += 1) await sender.send(message());
  expect(resolved).toHaveLength(2);
});
