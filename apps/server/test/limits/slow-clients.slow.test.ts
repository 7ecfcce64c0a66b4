import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { exchange } from '../support/http/raw.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

describe('a client that is slow', () => {
  const head =
    'POST /offices HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';

  it.each([
    ['to send its headers', head],
    ['to send its body', `${head}Authorization: Bearer KEY\r\n\r\n{"name":`],
  ])('%s is told so and cut off', async (_, sent) => {
    await using hasty = await startTestServer({ timeouts: { headersMs: 200, requestMs: 400 } });
    const started = performance.now();
    await expectProblem(await exchange(hasty.url, sent.replace('KEY', hasty.key)), 'request_timeout');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('and sends a byte now and then is cut off all the same', async () => {
    await using hasty = await startTestServer({ timeouts: { headersMs: 300, requestMs: 600 } });
    const socket = connect(Number(new URL(hasty.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const dripping = setInterval(() => socket.write('x'), 20);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    clearInterval(dripping);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 .+request_timeout/s);
  });
});
