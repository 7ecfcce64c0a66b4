import process from 'node:process';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type CollectedSpan, startCollector } from '../support/http/start-collector.ts';
import { startWatchedService, type WatchedService } from '../support/processes/watched-service.ts';

/** The service, traced as an operator would have it traced: OpenTelemetry reads the environment of the process. */
async function startTraced(
  database: Parameters<typeof startWatchedService>[0],
  variables: Record<string, string>,
): Promise<WatchedService> {
  Object.assign(process.env, variables);
  try {
    return await startWatchedService(database, variables);
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${PARENT}-01`;
const SERVER = 2;
const CLIENT = 3;

it('a trace has spans for the request and its statements, without values, and is exported when the server stops', async () => {
  await using collector = await startCollector();
  await using database = await createTestDatabase();
  await using service = await startTraced(database, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=directory',
    OTEL_SERVICE_NAME: 'directory',
  });
  await service.request(
    'POST',
    '/offices',
    { name: 'Kanarienvogel' },
    { traceparent, 'Idempotency-Key': 'one', 'user-agent': 'Kanarienvogel' },
  );
  const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: { id: crypto.randomUUID() } }));
  const batch = await service.request('GET', `/trpc/agents.list,offices.get?batch=1&input=${input}`);
  await service.request('GET', '/offices?q=Kanarienvogel');
  await service.request('GET', '/Kanarienvogel');
  await sql`alter table agent rename column record to json`.execute(database.db);
  expect((await service.request('GET', '/agents', undefined, { traceparent: 'nonsense' })).status).toBe(500);
  await service.close();

  const spans = await collector.collected();
  const childrenOf = ({ spanId }: CollectedSpan) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const called = (name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`No span is called ${name}.`);
    return found;
  };
  const posted = called('POST /offices');
  expect(posted).toMatchObject({
    traceId: TRACE,
    parentSpanId: PARENT,
    kind: SERVER,
    status: 0,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/offices',
      'url.path': '/offices',
      'http.response.status_code': 201,
    },
    resource: { 'service.name': 'directory' },
  });
  const statements = childrenOf(posted);
  for (const { traceId, kind, attributes, startNs, endNs } of statements)
    expect([traceId, kind, attributes['db.system.name'], endNs >= startNs]).toEqual([
      TRACE,
      CLIENT,
      'postgresql',
      true,
    ]);
  // The request may have opened the connection, which begins with the settings of the session.
  const texts = statements
    .map(({ attributes }) => String(attributes['db.query.text']))
    .filter((text) => !text.includes('set_config'));
  expect([texts[0], texts.at(-1)]).toEqual(['begin', 'commit']);
  expect(texts).toContainEqual(expect.stringContaining('values ($1, $2, $3, $4, $5)'));

  const batched = called('GET /trpc/:path');
  expect(batched.attributes).toMatchObject({ 'url.path': '/trpc/agents.list,offices.get' });
  const read = childrenOf(batched).map(({ attributes }) => attributes['db.query.text']);
  for (const table of ['agent', 'office'])
    expect(read).toContainEqual(expect.stringMatching(new RegExp(`from "?${table}\\b`)));
  const line = service
    .lines()
    .find(({ msg, reqId }) => msg === 'request' && reqId === batch.headers.get('x-request-id'));
  expect(line?.traceId).toBe(batched.traceId);

  const failed = called('GET /agents');
  expect(failed).toMatchObject({ parentSpanId: '', status: 2, attributes: { 'error.type': '500' } });
  expect(childrenOf(failed)).toContainEqual(expect.objectContaining({ status: 2 }));
  // No statement of a background worker, and nothing that a person may have typed.
  expect(spans.filter(({ kind, parentSpanId }) => kind === CLIENT && parentSpanId === '')).toEqual([]);
  expect(JSON.stringify(spans)).not.toContain('Kanarienvogel');
});

it('requests that arrive together each have the trace of their own statements', async () => {
  await using collector = await startCollector();
  await using database = await createTestDatabase();
  await using service = await startTraced(database, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=directory',
  });
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => service.request('POST', '/offices', { name: 'Together' })),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  await service.close();
  const spans = await collector.collected();
  const inserts = spans.filter(({ attributes }) =>
    /insert into "?event\b/.test(String(attributes['db.query.text'])),
  );
  const posts = spans.filter(({ name }) => name === 'POST /offices');
  expect([posts.length, inserts.length]).toEqual([40, 40]);
  expect(new Set(inserts.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(posts.map(({ spanId }) => spanId)),
  );
});

it('an event stream is not traced, however many statements it runs', async () => {
  await using collector = await startCollector();
  await using database = await createTestDatabase();
  await using service = await startTraced(database, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=directory',
  });
  const stream = await service.request('GET', '/events/stream');
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  await service.request('GET', '/offices');
  await service.close();
  const spans = await collector.collected();
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
});

it('the sampler decides what is traced, and a failed export is logged', async () => {
  await using collector = await startCollector();
  await using database = await createTestDatabase();
  await using service = await startTraced(database, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const untraced = await service.request('GET', '/agents');
  const traced = await service.request('GET', '/agents', undefined, { traceparent });
  expect([untraced.status, traced.status]).toEqual([200, 200]);
  await service.close();
  // The collector takes nothing of who does not say their team; that there was anything comes of the second alone.
  const told = service.lines().filter(({ msg }) => msg === 'spans could not be exported to the collector');
  expect(told).toHaveLength(1);
});
