import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/index.ts';

const QUOTA = 2;

/** Sends as many requests as given, one after the other on one connection; returns their statuses and how long they took. */
async function hammer({ url }: TestServer, count: number): Promise<{ statuses: string[]; tookMs: number }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const statuses: string[] = [];
  const startedMs = performance.now();
  while (statuses.length < count) {
    socket.write('GET /offices HTTP/1.1\r\nHost: a\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    statuses.push(String(chunk).slice(9, 12));
  }
  return { statuses, tookMs: performance.now() - startedMs };
}

it('reads a connection more slowly that goes on after ten rejections for its rate', async () => {
  await using server = await startTestServer({ rateLimit: QUOTA });
  const { statuses, tookMs } = await hammer(server, QUOTA + 13);
  expect(statuses.filter((status) => status === '429')).toHaveLength(13);
  expect(tookMs).toBeGreaterThan(1_900);
});

it('does not slow down a proxy, which sends the requests of many', async () => {
  await using server = await startTestServer({ rateLimit: QUOTA, trustedProxies: ['127.0.0.1'] });
  const { statuses } = await hammer(server, QUOTA + 60);
  expect(statuses.filter((status) => status === '429')).toHaveLength(60);
});
