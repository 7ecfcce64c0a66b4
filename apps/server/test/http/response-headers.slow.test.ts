import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Operation, operations } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyWith } from '../support/auth/keys.ts';
import { linkFor } from '../support/auth/passkeys.ts';
import { personWith, storePasskey } from '../support/auth/people.ts';
import { call } from '../support/calls.ts';
import { imported } from '../support/file-imports.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { bodyFor, pathFor } from '../support/inputs.ts';
import { expectProblem } from '../support/problems.ts';
import { webhooksOf } from '../support/webhooks.ts';

let server: TestServer;
let ids: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  const directory = directoryOf(server);
  const office = await directory.office({ bio: 'long '.repeat(700) });
  const [agent, team] = [await directory.agent(), await directory.team()];
  const key = await keyWith(server, ['offices:read']);
  const webhook = await webhooksOf(server).create({ url: 'http://127.0.0.1:9/', types: ['office.purged'] });
  const person = await personWith(server, [{ role: 'viewer' }]);
  const scheduledChanges = await directory.schedule(agent.id);
  const bulk = { filter: { mlsId: ['none'] }, change: { type: 'delete' }, expectedCount: 0 };
  const job = await bodyOf<{ id: string }>(await server.request('POST', '/agents/bulk', bulk));
  const saved = { name: 'Mine', resource: 'agents' };
  const view = await bodyOf<{ id: string }>(await server.request('POST', '/views', saved));
  ids = {
    views: view.id,
    jobs: job.id,
    scheduledChanges,
    offices: office.id,
    agents: agent.id,
    teams: team.id,
    imports: (await imported(server, 'name\nBaixa\n')).id,
    invitations: (await linkFor(server, person.id)).id,
    passkeys: (await storePasskey(server.database, person.id)).id,
    keys: key.id,
    webhooks: webhook.id,
    people: person.id,
    sessions: person.sessionId,
  };
});
afterAll(() => server[Symbol.asyncDispose]());

const pathOf = (operation: Operation) =>
  pathFor(operation, ids[operation.procedure.split('.')[0] ?? ''] ?? '');
const reads = operations.filter(({ method }) => method === 'GET');
const documents = ['/openapi.json', '/docs/errors', '/healthz', '/readyz'];

/** A response as it was received, still compressed; fetch would decompress it. */
async function sentAs(
  path: string,
  acceptEncoding: string,
): Promise<{ result: IncomingMessage; body: Buffer }> {
  const headers = { Authorization: `Bearer ${server.key}`, 'Accept-Encoding': acceptEncoding };
  const asking = httpRequest(`${server.url}${path}`, { headers, agent: false }).end();
  const [result] = (await once(asking, 'response')) as [IncomingMessage];
  return { result, body: Buffer.concat(await result.toArray()) };
}

describe('caching', () => {
  it('is private and must be revalidated for reads, and no-store for changes and errors', async () => {
    for (const operation of reads) {
      const response = await server.request('GET', pathOf(operation));
      expect(response.headers.get('Cache-Control'), operation.procedure).toBe('private, no-cache');
      expect(response.headers.get('Vary')).toContain('Authorization');
    }
    const created = operations.filter(({ method }) => method === 'POST');
    for (const operation of created) {
      const response = await server.request('POST', operation.path, bodyFor(operation));
      expect(response.headers.get('Cache-Control'), operation.procedure).toBe('no-store');
    }
    for (const path of ['/offices/x', '/nowhere', '/offices?limit=0']) {
      expect((await server.request('GET', path)).headers.get('Cache-Control'), path).toBe('no-store');
    }
    expect((await call(server, ['offices.list', {}])).headers.get('Cache-Control')).toBe('no-store');
  });
});

describe('compression', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is %s if requested, with the same content', async (encoding, decompress) => {
    const path = `/offices/${ids.offices}`;
    const [plain, packed] = [await sentAs(path, 'identity'), await sentAs(path, encoding)];
    expect(plain.result.headers['content-encoding']).toBeUndefined();
    expect(packed.result.headers['content-encoding']).toBe(encoding);
    expect(decompress(packed.body)).toEqual(plain.body);
    expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  });

  it('leaves small responses as they are', async () => {
    for (const path of [
      '/healthz',
      `/offices/x`,
      '/agents?limit=0',
      '/trpc/agents.list?input=5',
      '/trpc/offices.get',
    ]) {
      expect((await sentAs(path, 'br, gzip')).result.headers['content-encoding'], path).toBeUndefined();
    }
  });

  it('serves requests for an unknown coding', async () => {
    expect((await sentAs('/openapi.json', 'zstd')).result.statusCode).toBe(200);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const preflight = {
    Origin: origin,
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'if-match',
  };
  const noKey = { Authorization: '' };
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));

  it('is off unless it is set', async () => {
    const asked = await server.request('OPTIONS', '/offices', undefined, { ...noKey, ...preflight });
    const read = await server.request('GET', '/offices', undefined, { Origin: origin });
    expect([...corsHeaders(asked), ...corsHeaders(read)]).toEqual([]);
  });

  it('allows the listed origins, over REST and RPC, and exposes the documented headers', async () => {
    await using open = await startTestServer({ corsOrigins: [origin, 'https://other.example'] });
    for (const path of ['/offices', `/offices/${ids.offices}`, '/trpc/offices.list']) {
      const asked = await open.request('OPTIONS', path, undefined, { ...noKey, ...preflight });
      expect([path, asked.status]).toEqual([path, 204]);
      expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(asked.headers.get('Access-Control-Allow-Methods')).toContain('PATCH');
      expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('if-match');
      expect(asked.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    for (const path of ['/offices', '/trpc/offices.list?input={}', '/offices/x', '/nowhere']) {
      const read = await open.request('GET', path, undefined, { Origin: origin });
      expect(read.headers.get('Access-Control-Allow-Origin'), path).toBe(origin);
      expect(read.headers.get('Access-Control-Expose-Headers')).toContain('ETag');
      expect(read.headers.get('Vary')).toContain('Origin');
    }
  });

  it('allows no other origin', async () => {
    await using open = await startTestServer({ corsOrigins: [origin] });
    for (const other of ['https://evil.example', 'null', `${origin}.evil.example`, 'http://app.example']) {
      const asked = await open.request('OPTIONS', '/offices', undefined, {
        ...noKey,
        ...preflight,
        Origin: other,
      });
      const read = await open.request('GET', '/offices', undefined, { Origin: other });
      for (const response of [asked, read]) {
        expect(response.headers.get('Access-Control-Allow-Origin')).not.toBe(other);
        expect(response.headers.get('Access-Control-Allow-Origin')).not.toBe('*');
      }
    }
  });

  it('does not change the response to OPTIONS for other clients', async () => {
    await using open = await startTestServer({ corsOrigins: [origin] });
    const asked = await open.request('OPTIONS', '/offices');
    expect([asked.status, asked.headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    await expectProblem(await open.request('OPTIONS', '/nowhere'), 'no_such_route');
  });
});

it('every response has the headers that forbid a browser to run, frame, guess and pass on anything', async () => {
  for (const path of [
    '/offices',
    '/offices/x',
    '/nowhere',
    '/trpc/offices.list?input={}',
    '/openapi.json',
    '/healthz',
  ]) {
    const { headers } = await server.request('GET', path);
    expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    expect(headers.has('X-Powered-By') || headers.has('Server')).toBe(false);
  }
});

describe('methods', () => {
  it('HEAD is GET without the body on every route', async () => {
    const passing = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'];
    for (const path of [
      ...reads.map(pathOf),
      `/offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11`,
      ...documents,
    ]) {
      // What is not sent is not compressed either.
      const as = (method: string) =>
        server.request(method, path, undefined, { 'Accept-Encoding': 'identity' });
      const [get, head] = [await as('GET'), await as('HEAD')];
      const told = ({ status, headers }: Response) => [
        status,
        Object.fromEntries([...headers].filter(([name]) => !passing.includes(name))),
      ];
      await get.arrayBuffer();
      expect(await head.text(), path).toBe('');
      const [, { 'content-length': _, ...got }] = told(get) as [number, Record<string, string>];
      const [status, { 'content-length': __, ...had }] = told(head) as [number, Record<string, string>];
      expect([path, status, had]).toEqual([path, get.status, got]);
    }
  });
});
