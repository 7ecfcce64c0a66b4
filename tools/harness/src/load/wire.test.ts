import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Answer } from './answers.ts';
import { closedLoop, openLoop } from './loops.ts';
import { openWire } from './wire.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** A real server on a free port; gone when it is disposed of. */
async function serving(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

async function twoAnswers(listener: RequestListener): Promise<[Answer, Answer]> {
  using server = await serving(listener);
  const wire = await openWire(server.port, () => undefined);
  const answers: [Answer, Answer] = [await wire.ask(REQUEST), await wire.ask(REQUEST)];
  wire.close();
  return answers;
}

const long = 'é'.repeat(200_000);

test('reads an answer with a length, however many pieces it comes in', async () => {
  const answers = await twoAnswers((_, response) => {
    response.setHeader('Content-Length', Buffer.byteLength(long));
    response.end(long);
  });
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.toString()).toBe(long);
  }
});

test('reads an answer in chunks', async () => {
  const answers = await twoAnswers((_, response) => {
    response.statusCode = 201;
    response.write('one ');
    setTimeout(() => response.end(long), 5);
  });
  for (const { status, body } of answers) {
    expect(status).toBe(201);
    expect(body.toString()).toBe(`one ${long}`);
  }
});

test('counts rejections as failures, with the first of them in words', async () => {
  using server = await serving((_, response) => response.writeHead(503).end('not now'));
  const sources = [() => REQUEST, () => REQUEST];
  const outcome = await closedLoop({ port: server.port, sources, seconds: 0.05 });
  expect(outcome.answers).toBe(0);
  expect(outcome.failures).toBeGreaterThan(0);
  expect(outcome.firstFailure).toBe('503 not now');
});

test('an open loop sends at its rate and counts the wait for a free connection', async () => {
  const pauseMs = 20;
  using server = await serving((_, response) => {
    setTimeout(() => response.end('done'), pauseMs);
  });
  const outcome = await openLoop({
    port: server.port,
    sources: [() => REQUEST],
    seconds: 0.3,
    ratePerS: 100,
  });
  // One connection answers half of what comes, so the last request has waited for about half the time.
  expect(outcome.latenciesMs.length).toBe(outcome.answers);
  expect(Math.max(...outcome.latenciesMs)).toBeGreaterThan(3 * pauseMs);
});
