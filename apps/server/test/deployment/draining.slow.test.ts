import { expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

it('a server that is told to stop is not ready at once, and serves one more response on each connection', async () => {
  const stop = new AbortController();
  await using server = await startTestServer({ stopping: stop.signal });
  expect((await server.request('GET', '/readyz')).status).toBe(200);
  stop.abort();
  const responses = await Promise.all(
    ['/readyz', '/healthz', '/offices'].map((path) => server.request('GET', path)),
  );
  expect(responses.map(({ status }) => status)).toEqual([503, 200, 200]);
  expect(responses.map(({ headers }) => headers.get('Connection'))).toEqual(['close', 'close', 'close']);
  expect(responses[0]?.headers.get('Retry-After')).toBe('1');
});

/** The text of a stream as it comes, and the place of the last event in it. */
async function streamOf({ url, key }: TestServer, path: string) {
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })();
  return { text: () => text, ended };
}

it.each([
  ['GET /events/stream', '/events/stream?after=0'],
  ['the subscription events.stream', `/trpc/events.stream?input=${encodeURIComponent('{"after":"0"}')}`],
])(
  'ends %s in order and at once, with word to come back, when nothing is accepted any more',
  async (_, path) => {
    const server = await startTestServer();
    const { id } = await directoryOf(server).office();
    const stream = await streamOf(server, path);
    await expect.poll(stream.text).toContain(id);
    const start = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - start).toBeLessThan(9_000);
    await stream.ended;
    expect(stream.text()).toMatch(/\n\nretry: \d+\n$/);
    // To a reader over RPC that would mean that the subscription is over, instead of the connection.
    expect(stream.text()).not.toContain('event: return');
  },
);
