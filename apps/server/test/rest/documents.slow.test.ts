import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEncoded } from '../support/http/encoded-response.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const documents = ['/openapi.json', '/docs/errors', '/docs/', '/docs/openapi.json', '/docs/js/scalar.js'];

let server: TestServer;
/** What was passed to Node for each response. */
const sent: unknown[] = [];
beforeAll(async () => {
  server = await startTestServer({
    observe: (app) => app.addHook('onSend', async (_, __, payload) => void sent.push(payload)),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  readEncoded(server, path, { method, headers });

describe.each(documents)('%s', (path) => {
  it('is the same in every coding, each with a strong tag of its own and its length', async () => {
    const plain = await read(path);
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [coding, decode] of Object.entries(decoders)) {
      const packed = await read(path, { 'Accept-Encoding': coding });
      expect(packed.headers['content-encoding']).toBe(coding);
      expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
      expect(packed.headers['content-length']).toBe(String(packed.body.length));
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(decode(packed.body).equals(plain.body)).toBe(true);
      const head = await read(path, { 'Accept-Encoding': coding }, 'HEAD');
      for (const name of ['content-length', 'content-encoding', 'etag', 'vary', 'cache-control'])
        expect(head.headers[name], name).toBe(packed.headers[name]);
      expect(head.body.length).toBe(0);
    }
  });

  it('is compressed once: all responses share its bytes', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    sent.length = 0;
    await Promise.all(Array.from({ length: 6 }, () => read(path, headers)));
    expect(sent.length).toBe(6);
    expect(sent[0]).toBeInstanceOf(Buffer);
    for (const payload of sent) expect(payload).toBe(sent[0]);
  });

  it('may be cached, has Vary, and is 304 for its ETag in any coding', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const got = await read(path, { 'Accept-Encoding': coding });
      expect(got.headers['cache-control']).toBe('public, max-age=300, must-revalidate');
      expect(got.headers.vary).toMatch(/accept-encoding/i);
      const again = await read(path, { 'Accept-Encoding': coding, 'If-None-Match': got.headers.etag ?? '' });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      for (const name of ['etag', 'vary', 'cache-control'])
        expect(again.headers[name]).toBe(got.headers[name]);
    }
    expect((await read(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

it('the script of the page never changes under the URL that the page names', async () => {
  const page = (await read('/docs/')).body.toString();
  const [, source] = /src="(js\/scalar\.js\?v=[\w-]+)"/.exec(page) ?? [];
  const script = await read(`/docs/${source}`);
  expect([script.status, script.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect((await read('/docs/js/scalar.js?v=other')).headers['cache-control']).toContain('max-age=300');
});

it.each(['/docs/', '/docs/errors'])('%s runs no inline script but one by its digest', async (path) => {
  const policyOf = async (headers: Record<string, string> = {}) => {
    const { 'content-security-policy': policy, etag } = (await read(path, headers)).headers;
    return { policy: String(policy), etag: String(etag) };
  };
  const { policy, etag } = await policyOf();
  const [, scripts = ''] = /script-src ([^;]*)/.exec(policy) ?? [];
  expect(scripts).toMatch(path === '/docs/' ? /^'self' 'sha256-[\w+/]{43}='$/ : /^$/);
  for (const directive of [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy.split('; ')).toContain(directive);
  expect((await policyOf({ 'If-None-Match': etag })).policy).toBe(policy);
});

it('documents are counted against the address of the caller', async () => {
  await using limited = await startTestServer({ rateLimit: documents.length, rateLimitNowMs: () => 0 });
  const statuses: number[] = [];
  for (const path of documents) {
    const response = await limited.request('GET', path);
    statuses.push(response.status);
    await response.arrayBuffer();
  }
  expect(statuses).toEqual(documents.map(() => 200));
  await expectProblem(await limited.request('GET', '/docs/js/scalar.js'), 'rate_limited');
  // The key has a quota of its own.
  expect((await limited.request('GET', '/offices')).status).toBe(200);
});

it('the page can be switched off; the document, and the page that problems point to, stay', async () => {
  await using bare = await startTestServer({ isDocsPageServed: false });
  for (const path of ['/docs', '/docs/', '/docs/openapi.json', '/docs/js/scalar.js'])
    await expectProblem(await bare.request('GET', path), 'no_such_route');
  expect((await bare.request('GET', '/openapi.json')).status).toBe(200);
  const errors = await bare.request('GET', '/docs/errors');
  expect(errors.status).toBe(200);
  expect(await errors.text()).not.toContain('href="/docs"');
});

describe('health', () => {
  it('is not cached', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await server.request('GET', path)).headers.get('Cache-Control')).toBe('no-store');
  });

  it('checks the database once for all simultaneous requests', async () => {
    const said: string[] = [];
    const connection = { onStatement: ({ sql }: { sql: string }) => said.push(sql) };
    await using watched = await startTestServer({ connection });
    const statements = async (count: number) => {
      said.length = 0;
      const asked = Array.from({ length: count }, () => watched.request('GET', '/readyz'));
      for (const response of await Promise.all(asked)) expect(response.status).toBe(200);
      return said.filter((text) => text.includes('kysely_migration')).length;
    };
    const alone = await statements(1);
    expect(alone).toBeGreaterThan(0);
    const startedMs = performance.now();
    const together = await statements(60);
    // A check counts for 250 ms, so that a slow machine may need several.
    const checksMax = 2 + (performance.now() - startedMs) / 240;
    expect(together).toBeLessThanOrEqual(Math.min(checksMax, 30) * alone);
  });
});

describe('GET /', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it.each([
    [browser, '/docs/'],
    ['text/*', '/docs/'],
    [undefined, '/openapi.json'],
    ['*/*', '/openapi.json'],
    ['application/json', '/openapi.json'],
    ['application/json, text/html;q=0.5', '/openapi.json'],
    ['text/html;q=0, */*', '/openapi.json'],
    ['image/png', '/openapi.json'],
  ])('with Accept: %s leads to %s, and says that it depends on it', async (accept, location) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await read('/', accept === undefined ? {} : { Accept: accept }, method);
      expect({ status, location: headers.location }).toEqual({ status: 303, location });
      expect(headers.vary).toMatch(/\baccept\b/i);
    }
  });

  it('leads people to the document too when the page is not served', async () => {
    await using without = await startTestServer({ isDocsPageServed: false, database: server.database });
    const result = await fetch(without.url, { headers: { Accept: browser }, redirect: 'manual' });
    expect(result.headers.get('location')).toBe('/openapi.json');
  });
});
