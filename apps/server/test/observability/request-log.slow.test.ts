import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/http/receiver.ts';
import { startWatchedService, type WatchedService } from '../support/processes/watched-service.ts';

let database: TestDatabase;
let service: WatchedService;
beforeAll(async () => {
  database = await createTestDatabase();
  // Every statement is slow enough to be logged, so that the lines about slow queries are checked too.
  service = await startWatchedService(database, { ROSTER_SLOW_QUERY_MS: '1' });
});
afterAll(async () => {
  await service.close();
  await database[Symbol.asyncDispose]();
});

/** The line about a request, once it is written. */
async function lineOf(response: Response): Promise<Record<string, unknown>> {
  const id = response.headers.get('x-request-id');
  await response.text();
  const isIt = (line: Record<string, unknown>) => line.reqId === id && line.msg === 'request';
  await expect.poll(() => service.lines().some(isIt)).toBe(true);
  return service.lines().find(isIt) ?? {};
}

describe('the line about a request', () => {
  it('is written for a probe only when its response changes', async () => {
    const probes = () => service.lines().filter(({ msg, path }) => msg === 'request' && path === '/readyz');
    const before = probes().length;
    for (let n = 0; n < 3; n += 1) expect((await service.request('GET', '/readyz')).status).toBe(200);
    await lineOf(await service.request('GET', '/offices?limit=1'));
    expect(probes().length - before).toBeLessThanOrEqual(1);
    expect(probes().length).toBe(1);
  });

  it('has the key, the operation, the status, the duration and the time of its statements', async () => {
    const line = await lineOf(await service.request('GET', '/offices?limit=1'));
    expect(line).toMatchObject({
      keyId: '00000000-0000-0000-0000-000000000000',
      actor: { type: 'key', id: '00000000-0000-0000-0000-000000000000' },
      method: 'GET',
      path: '/offices',
      procedure: 'offices.list',
      status: 200,
      statements: 1,
    });
    expect(line.databaseMs).toBeGreaterThan(0);
    expect(line.durationMs).toBeGreaterThanOrEqual(line.databaseMs as number);
    expect(line).not.toHaveProperty('errorCode');
  });

  it('counts the statements of a change with a body, also those in its transaction', async () => {
    const body = { name: 'Porto' };
    const plain = await lineOf(await service.request('POST', '/offices', body));
    expect(plain).toMatchObject({ procedure: 'offices.create', status: 201, statements: 1 });
    const headers = { 'Idempotency-Key': 'once' };
    const kept = await lineOf(await service.request('POST', '/offices', body, headers));
    expect(kept).toMatchObject({ status: 201, statements: 6 });
  });

  it('has the procedures of a batch, and the error code of one that failed', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: { id: crypto.randomUUID() } }));
    const path = `/trpc/offices.list,agents.get?batch=1&input=${input}`;
    expect(await lineOf(await service.request('GET', path))).toMatchObject({
      path: '/trpc/offices.list,agents.get',
      procedure: ['offices.list', 'agents.get'],
      status: 207,
      errorCode: 'not_found',
      // What is not there is looked for twice, as rows keep it and as it would be made, and then among the merged.
      statements: 4,
    });
  });

  it('has the error code of a rejected request', async () => {
    const id = crypto.randomUUID();
    const absent = await lineOf(await service.request('GET', `/agents/${id}`));
    expect(absent).toMatchObject({ path: `/agents/${id}`, status: 404, errorCode: 'not_found' });
    const stranger = await lineOf(await fetch(`${service.url}/agents`));
    expect(stranger).toMatchObject({ procedure: 'agents.list', status: 401, errorCode: 'unauthenticated' });
    expect(stranger).not.toHaveProperty('keyId');
  });

  it('counts the statements of concurrent requests separately', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? service.request('GET', '/agents?limit=1')
          : service.request('POST', '/offices', { name: `Office ${index}` }),
      ),
    );
    for (const result of responses) expect((await lineOf(result)).statements).toBe(1);
  });
});

/** What must never show: a person's data and secrets, as a caller sends them and as records hold them. */
const CANARY = 'kanarienvogel';
const EMAIL = `${CANARY}@birds.example`;

/** Requests that hold it in every place there is, most of which fail. */
async function singEverywhere({ request, url }: WatchedService): Promise<string[]> {
  const secrets: string[] = [];
  const agent = {
    firstName: CANARY,
    lastName: CANARY,
    email: EMAIL,
    bio: CANARY,
    metadata: { [CANARY]: CANARY },
  };
  const created = await request('POST', '/agents', agent, {
    'Idempotency-Key': CANARY,
    'User-Agent': CANARY,
  });
  const { id } = (await created.json()) as { id: string };
  const places = [
    ['GET', `/agents?q=${CANARY}&email=${encodeURIComponent(EMAIL)}&sourceKey=${CANARY}`],
    ['GET', `/agents?${CANARY}=${CANARY}`],
    ['GET', `/agents?cursor=${CANARY}`],
    ['GET', `/agents?q=%${CANARY}`],
    ['GET', `/agents/${CANARY}`],
    ['GET', `/agents/${EMAIL}/history`],
    ['GET', `/${CANARY}/agents/${CANARY}`],
    ['GET', `/docs/${CANARY}`],
    ['GET', `/%${CANARY}`],
    ['PURGE', `/agents/${CANARY}`],
    ['POST', `/trpc/${CANARY}`],
    ['GET', `/trpc/agents.get,${CANARY}?batch=1`],
    ['GET', `/trpc/agents.list?input=${encodeURIComponent(JSON.stringify({ q: CANARY, [CANARY]: 1 }))}`],
    ['GET', `/trpc/agents.list?input=${CANARY}`],
    ['GET', `/events/stream?types=${CANARY}`],
    ['OPTIONS', `/agents/${CANARY}`],
  ] as const;
  for (const [method, path] of places) await (await request(method, path)).text();
  const headers = {
    Authorization: `Bearer ${CANARY}`,
    Cookie: CANARY,
    Referer: `https://${EMAIL}`,
    'If-Match': CANARY,
    'Content-Type': `text/${CANARY}`,
    traceparent: CANARY,
    'X-Forwarded-For': CANARY,
  };
  for (const [name, value] of Object.entries(headers)) {
    await (await request('PATCH', `/agents/${id}`, { title: CANARY }, { [name]: value })).text();
  }
  const bodies = [
    `{"email":"${EMAIL}",}`,
    `"${CANARY}"`,
    { email: CANARY, [CANARY]: 1 },
    { officeId: CANARY },
  ];
  for (const body of bodies) await (await request('POST', '/agents', body)).text();
  await (await request('POST', '/agents', agent)).text();
  await (await request('POST', '/trpc/agents.create', `{"email":"${EMAIL}"`)).text();
  const key = await (await request('POST', '/keys', { name: CANARY, scopes: ['agents:read'] })).json();
  const { secret } = key as { secret: string };
  secrets.push(secret);
  await (await request('GET', '/agents', undefined, { Authorization: `Bearer ${secret}` })).text();
  await (await fetch(`${url}/agents`, { headers: { Authorization: `Bearer ${secret}x` } })).text();
  return secrets;
}

describe('the log', () => {
  it('contains no secret and no personal data, whatever clients send and whatever fails', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => ({ status: 500, body: CANARY });
    const hook = { url: `${receiver.url}?token=${CANARY}`, description: CANARY };
    const webhook = await (await service.request('POST', '/webhooks', hook)).json();
    const { secret } = webhook as { secret: string };
    const secrets = [...(await singEverywhere(service)), secret, service.key];
    // The database quotes the row in its message, its detail and its context.
    await sql`create function refuse_all() returns trigger language plpgsql as $$
      begin raise exception 'not % %', new.first_name, new.email using detail = new::text, hint = new.last_name; end $$`.execute(
      database.db,
    );
    await sql`create trigger refuse_all before update on agent for each row execute function refuse_all()`.execute(
      database.db,
    );
    await sql`create function count_name() returns trigger language plpgsql as $$
      begin perform new.name::int; return new; end $$`.execute(database.db);
    await sql`create trigger count_name before insert on office for each row execute function count_name()`.execute(
      database.db,
    );
    const { items } = (await (await service.request('GET', '/agents')).json()) as { items: { id: string }[] };
    const failing = await service.request('PATCH', `/agents/${items[0]?.id}`, { nickname: CANARY });
    expect(failing.status).toBe(500);
    expect((await service.request('POST', '/offices', { name: CANARY })).status).toBe(500);
    const viaRpc = await service.request('POST', '/trpc/offices.create', { name: CANARY });
    expect(viaRpc.status).toBe(500);
    await lineOf(viaRpc);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    const lines = service.lines();
    const codes = lines.filter(({ msg }) => msg === 'internal error').map(({ err }) => JSON.stringify(err));
    expect(codes).toEqual([
      expect.stringContaining('"code":"P0001"'),
      expect.stringContaining('"code":"22P02"'),
      expect.stringContaining('"code":"22P02"'),
    ]);
    expect(lines.some(({ msg, sql: text }) => msg === 'slow statement' && text !== undefined)).toBe(true);
    const telling = lines.filter((line) =>
      [CANARY, ...secrets].some((word) => JSON.stringify(line).toLowerCase().includes(word.toLowerCase())),
    );
    expect(telling).toEqual([]);
  });
});
