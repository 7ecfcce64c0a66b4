import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEncoded } from '../support/http/encoded-response.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';
import { type ConsoleBuild, consoleBuild } from '../support/processes/console-build.ts';

const script = `console.log('${'a'.repeat(2_000)}');`;
const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]);
const files = {
  'index.html':
    '<!doctype html><title>Roster</title><script type="module" src="/console/assets/app-1.js"></script>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'THIRD-PARTY-NOTICES.txt': 'react 19 (MIT)',
  'assets/app-1.js': script,
  'assets/app-1.css': 'a{color:red}',
  'assets/logo-1.png': picture,
  'assets/app-1.js.map': '{}',
};
const asBrowser = { 'Accept-Encoding': 'gzip, deflate, br, zstd', Accept: 'text/html,*/*;q=0.8' };
const immutable = 'public, max-age=31536000, immutable';

let build: ConsoleBuild;
let server: TestServer;
/** What was passed to Node for each response. */
const sent: unknown[] = [];
const serve = (directory: string) => ({ isConsoleServed: true, consoleDirectory: directory });
const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  readEncoded(server, path, { headers, method });

beforeAll(async () => {
  build = await consoleBuild(files);
  server = await startTestServer({
    ...serve(build.directory),
    observe: (app) => app.addHook('onSend', async (_, __, payload) => void sent.push(payload)),
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await build?.[Symbol.asyncDispose]();
});

it.each([
  '',
  'offices',
  'offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'sign-in?returnTo=/console/offices%3Fq=a.b',
])('serves the page at the path of a view, to be revalidated: /console/%s', async (path) => {
  const page = await read(`/console/${path}`);
  expect(page).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' },
  });
  expect(page.body.toString()).toBe(files['index.html']);
  const { etag = '' } = page.headers;
  expect(etag).toMatch(/^"[\w-]{16}"$/);
  const again = await read(`/console/${path}`, { 'If-None-Match': etag });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
  expect(again.headers['cache-control']).toBe('no-cache');
});

it('leads from /console to /console/', async () => {
  expect(await read('/console')).toMatchObject({ status: 301, headers: { location: '/console/' } });
});

it.each([
  ['assets/app-1.js', 'text/javascript; charset=utf-8', immutable],
  ['assets/app-1.css', 'text/css; charset=utf-8', immutable],
  ['assets/logo-1.png', 'image/png', immutable],
  ['favicon.svg', 'image/svg+xml', 'no-cache'],
  ['THIRD-PARTY-NOTICES.txt', 'text/plain; charset=utf-8', 'no-cache'],
] as const)('serves %s as %s: %s', async (path, type, cacheControl) => {
  const { status, headers, body } = await read(`/console/${path}`);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, cacheControl]);
  expect(body).toEqual(Buffer.from(files[path]));
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it.each([
  'assets/app-2.js',
  'assets/app-2',
  'assets/',
  'app.js',
  'index.html',
  'assets/app-1.js.br',
  'assets/app-1.js.map',
  'offices/x.png',
  '.env',
  'a/.b.js',
])('a file that is not there, or not for browsers, is a problem and never HTML: %s', async (path) => {
  const missing = await fetch(`${server.url}/console/${path}`, { headers: asBrowser });
  await expectProblem(missing, 'no_such_route');
});

it.each([
  '..%2f..%2fpackage.json',
  '%2e%2e/index.html',
  'assets/..%2fx.js',
  'assets%2f..%2f..%2fx.js',
  'assets/a%00.js',
  'a%5cb.js',
])('no path leads out of the build: %s', async (path) => {
  const { status, headers } = await read(`/console/${path}`, asBrowser);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
});

describe('compression', () => {
  it.each(['/console/', '/console/assets/app-1.js'])(
    'sends %s as the build has compressed it',
    async (path) => {
      const plain = await read(path);
      const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
      for (const [coding, decode] of Object.entries(decoders)) {
        const packed = await read(path, { 'Accept-Encoding': coding });
        expect(packed.headers['content-encoding']).toBe(coding);
        expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
        expect(packed.headers['content-length']).toBe(String(packed.body.length));
        expect(decode(packed.body).equals(plain.body)).toBe(true);
        const head = await read(path, { 'Accept-Encoding': coding }, 'HEAD');
        for (const name of ['content-length', 'content-encoding', 'etag', 'vary', 'cache-control'])
          expect(head.headers[name], name).toBe(packed.headers[name]);
        expect(head.body.length).toBe(0);
      }
      expect((await read(path, asBrowser)).headers['content-encoding']).toBe('br');
      expect((await read(path, { 'Accept-Encoding': 'br;q=0.5, gzip' })).headers['content-encoding']).toBe(
        'gzip',
      );
      for (const headers of [{}, asBrowser])
        expect((await read(path, headers)).headers.vary).toBe('accept-encoding');
    },
  );

  it('leaves what the build has not compressed as it is', async () => {
    const { headers, body } = await read('/console/assets/logo-1.png', asBrowser);
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toEqual(Buffer.from(picture));
  });

  it('reads a file once: all responses share its bytes', async () => {
    await read('/console/assets/app-1.js', asBrowser);
    sent.length = 0;
    await Promise.all(Array.from({ length: 6 }, () => read('/console/assets/app-1.js', asBrowser)));
    expect(sent.length).toBe(6);
    expect(sent[0]).toBeInstanceOf(Buffer);
    for (const payload of sent) expect(payload).toBe(sent[0]);
  });
});

it('the page runs files of the service alone, cannot be embedded, and leaks no address', async () => {
  for (const path of ['/console/', '/console/offices', '/console/assets/app-1.js']) {
    const { headers } = await read(path);
    const policy = String(headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  }
});

it('only GET and HEAD are methods of the console', async () => {
  const rejected = await server.request('POST', '/console/offices', {});
  expect(rejected.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  await expectProblem(rejected, 'method_not_allowed');
});

it('needs no credentials, and its requests are not counted', async () => {
  await using limited = await startTestServer({ ...serve(build.directory), rateLimit: 2 });
  const statuses = new Set<number | undefined>();
  for (let count = 0; count < 10; count += 1)
    statuses.add((await readEncoded(limited, '/console/assets/app-1.js')).status);
  expect([...statuses]).toEqual([200]);
  expect((await readEncoded(limited, '/openapi.json')).status).toBe(200);
});

it('when the build is replaced, the page is the new one at once, and its old assets are gone', async () => {
  await using replaced = await consoleBuild(files);
  await using running = await startTestServer(serve(replaced.directory));
  const get = (path: string) => readEncoded(running, path);
  const { etag } = (await get('/console/')).headers;
  expect((await get('/console/assets/app-1.js')).status).toBe(200);
  await replaced.replace({ 'index.html': '<!doctype html>new', 'assets/app-2.js': 'new' });
  const page = await get('/console/offices');
  expect(page.body.toString()).toBe('<!doctype html>new');
  expect(page.headers.etag).not.toBe(etag);
  await expectProblem(await fetch(`${running.url}/console/assets/app-1.js`), 'no_such_route');
  expect((await get('/console/assets/app-2.js')).body.toString()).toBe('new');
});

it('without a build the server starts, says how to make one, and serves it as soon as it is there', async () => {
  await using late = await consoleBuild({});
  await using running = await startTestServer(serve(late.directory));
  const { detail } = await expectProblem(await fetch(`${running.url}/console/`), 'no_such_route');
  expect(detail).toContain('npm run build:console');
  const entry = () => readEncoded(running, '/', { headers: asBrowser });
  expect((await entry()).headers.location).toBe('/docs/');
  await late.replace(files);
  expect((await readEncoded(running, '/console/')).body.toString()).toBe(files['index.html']);
  expect((await entry()).headers.location).toBe('/console/');
});

describe('GET /', () => {
  it('leads a browser to the console, and other clients to the document', async () => {
    expect((await read('/', asBrowser)).headers.location).toBe('/console/');
    expect((await read('/')).headers.location).toBe('/openapi.json');
  });

  it('leads a browser to the documentation if the console is switched off, which then is not there', async () => {
    await using without = await startTestServer({ ...serve(build.directory), isConsoleServed: false });
    expect((await readEncoded(without, '/', { headers: asBrowser })).headers.location).toBe('/docs/');
    for (const path of ['/console', '/console/', '/console/assets/app-1.js'])
      await expectProblem(await without.request('GET', path), 'no_such_route');
  });
});
