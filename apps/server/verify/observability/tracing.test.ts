import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { CollectedSpan } from '../../test/support/http/trace-collector.ts';
import { startWatchedService, type WatchedService } from '../../test/support/processes/watched-service.ts';

const program = fileURLToPath(new URL('../../test/support/http/trace-collector.ts', import.meta.url));

/** A collector in a process of its own. */
async function startCollector() {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const spans: CollectedSpan[] = [];
  const [url] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => spans.push(JSON.parse(line)));
  return {
    url,
    spans,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

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

it('a trace has spans for the request, its procedures and their statements, and is exported when the server stops', async () => {
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
    { traceparent, 'Idempotency-Key': 'one' },
  );
  const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: { id: crypto.randomUUID() } }));
  const batch = await service.request('GET', `/trpc/agents.list,offices.get?batch=1&input=${input}`);
  await sql`alter table agent rename column record to json`.execute(database.db);
  expect((await service.request('GET', '/agents', undefined, { traceparent: 'nonsense' })).status).toBe(500);
  await service.close();

  const { spans } = collector;
  const childrenOf = ({ spanId }: CollectedSpan) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const called = (name: string) => spans.filter((span) => span.name === name);
  const [posted] = called('POST /offices');
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
  const [create] = childrenOf(posted as CollectedSpan);
  expect(create).toMatchObject({
    name: 'offices.create',
    traceId: TRACE,
    attributes: { 'rpc.method': 'offices.create' },
  });
  const statements = childrenOf(create as CollectedSpan);
  expect(statements.map(({ name }) => name)).toEqual([
    'BEGIN',
    'SELECT',
    'SELECT idempotent_answer',
    'INSERT office INSERT event',
    'INSERT idempotent_answer',
    'COMMIT',
  ]);
  for (const { kind, attributes, startNs, endNs } of statements) {
    expect([kind, attributes['db.system.name'], endNs >= startNs]).toEqual([CLIENT, 'postgresql', true]);
  }
  expect(statements[3]?.attributes['db.query.text']).toContain('values ($1, $2, $3, $4, $5)');

  const [batched] = called('GET /trpc/:path');
  const calls = childrenOf(batched as CollectedSpan);
  expect(batched?.attributes).toMatchObject({ 'url.path': '/trpc/agents.list,offices.get' });
  expect(calls.map(({ name }) => name).sort()).toEqual(['agents.list', 'offices.get']);
  for (const call of calls) {
    // What is not there is looked for twice, as rows keep it and as it would be made, and then among the merged.
    const absent = ['SELECT office', 'SELECT office', 'SELECT'];
    const expected = call.name === 'agents.list' ? ['SELECT agent'] : absent;
    expect(childrenOf(call).map(({ name }) => name)).toEqual(expected);
  }
  const line = service
    .lines()
    .find(({ msg, reqId }) => msg === 'request' && reqId === batch.headers.get('x-request-id'));
  expect(line?.traceId).toBe(batched?.traceId);

  const [failed] = called('GET /agents');
  expect(failed).toMatchObject({ parentSpanId: '', status: 2, attributes: { 'error.type': 'internal' } });
  const [failedCall] = childrenOf(failed as CollectedSpan);
  expect(failedCall).toMatchObject({ name: 'agents.list', status: 2 });
  expect(childrenOf(failedCall as CollectedSpan)[0]?.attributes['db.response.status_code']).toBe('42703');
  expect(JSON.stringify(spans)).not.toContain('Kanarienvogel');
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
