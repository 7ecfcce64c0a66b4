import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyWith } from '../../support/auth/keys.ts';
import { ended, upload, uploadsOf } from '../../support/file-imports.ts';
import { beginRequest, chunk, LAST_CHUNK } from '../../support/http/partial-request.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { openTransactions, requestsThatWait } from '../../support/locks.ts';

const FILE = '/imports/offices/file';
/** More than one piece of a file, so that a part of it is stored. */
const BEGINNING = `name\n${'Slow\n'.repeat(60_000)}`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Begins to upload a file, and waits until some of it is in the database. */
async function beginUpload(headers: Record<string, string> = {}) {
  const slow = await beginRequest(server.url, {
    path: FILE,
    key: server.key,
    headers: { 'Content-Type': 'text/csv', ...headers },
  });
  slow.send(chunk(BEGINNING));
  await expect
    .poll(async () =>
      (await uploadsOf(server.database.db)).some(({ pieces, isKept }) => !isKept && pieces > 0),
    )
    .toBe(true);
  return slow;
}

/** Changes the office by a job, and returns that. */
async function changeAll(id: string, website: string): Promise<{ id: string }> {
  const input = { filter: { ids: [id] }, change: { type: 'update', patch: { website } }, expectedCount: 1 };
  const response = await server.request('POST', '/offices/bulk', input);
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as { id: string };
}

describe.each([
  ['', {}],
  [' with an Idempotency-Key', { 'Idempotency-Key': 'slow' }],
])('while a client sends a file slowly%s', (_, headers) => {
  it('others upload files, change many records and undo that, and no transaction waits for the client', async () => {
    const { id } = (await (await server.request('POST', '/offices', { name: 'Baixa' })).json()) as {
      id: string;
    };
    using slow = await beginUpload(headers);
    const first = await changeAll(id, 'https://baixa.example');
    expect((await upload(server, 'name\nQuick\n')).status).toBe(202);
    await ended(server, `/jobs/${first.id}`);
    expect((await server.request('PUT', `/jobs/${first.id}/undo`, {})).status).toBe(200);
    expect(await openTransactions(server.database.db)).toEqual([]);
    slow.send(LAST_CHUNK);
    expect(await slow.status()).toBe(202);
    expect((await uploadsOf(server.database.db)).filter(({ isKept }) => !isKept)).toEqual([]);
  });
});

it('a change whose records take long to select keeps nobody from uploading a file', async () => {
  const created = await server.request('POST', '/offices', { name: 'Chiado' });
  const { id } = (await created.json()) as { id: string };
  const { db } = server.database;
  const change = await db.transaction().execute(async (trx) => {
    await sql`lock table job_batch in exclusive mode`.execute(trx);
    const changed = changeAll(id, 'https://chiado.example');
    await expect.poll(() => requestsThatWait(db)).toBe(1);
    expect((await upload(server, 'name\nQuick\n')).status).toBe(202);
    return { changed };
  });
  await change.changed;
});

it('an upload that is sent again beside the first is received once for its Idempotency-Key', async () => {
  using slow = await beginUpload({ 'Idempotency-Key': 'beside' });
  const headers = { 'Idempotency-Key': 'beside' };
  const second = await upload(server, BEGINNING, { headers });
  expect(second.status).toBe(202);
  slow.send(LAST_CHUNK);
  expect(await slow.status()).toBe(202);
  const again = await upload(server, BEGINNING, { headers });
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await again.json()).toMatchObject({ id: ((await second.json()) as { id: string }).id });
});

it('four keys that upload two files each, slowly, leave a place for somebody else', async () => {
  const keys = await Promise.all(Array.from({ length: 4 }, () => keyWith(server, ['offices:write'])));
  const head = { path: FILE, headers: { 'Content-Type': 'text/csv' } };
  const slow = await Promise.all(
    [...keys, ...keys].map(({ secret }) => beginRequest(server.url, { ...head, key: secret })),
  );
  for (const one of slow) one.send(chunk('name\nSlow\n'));
  // The keys that came first hold two places each, the others one.
  await expect.poll(() => slow.filter((one) => one.isClosed()).length).toBeGreaterThan(0);
  expect((await upload(server, 'name\nQuick\n')).status).toBe(202);
  for (const one of slow) one[Symbol.dispose]();
});

it('a client that ends its connection before its file has arrived leaves nothing of it', async () => {
  const slow = await beginUpload();
  slow.socket.destroy();
  await expect
    .poll(async () => (await uploadsOf(server.database.db)).filter(({ isKept }) => !isKept))
    .toEqual([]);
});

describe('a client that sends a file too slowly', () => {
  it('is told so, cut off although it keeps its side open, and leaves nothing of the file', async () => {
    await using hasty = await startTestServer({
      timeouts: { headersMs: 300, requestMs: 600 },
      // Far shorter than the request may take: a transaction that waited for the client would end before.
      connection: { timeouts: { idleTransactionMs: 200 } },
    });
    const socket = connect({ port: Number(new URL(hasty.url).port), host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    let isClosed = false;
    socket.on('error', () => undefined).on('data', (data) => (received += data.toString()));
    socket.once('close', () => {
      isClosed = true;
    });
    const lines = [
      'Host: x',
      'Content-Type: text/csv',
      'Content-Length: 10000000',
      `Authorization: Bearer ${hasty.key}`,
    ];
    socket.write(`POST ${FILE} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${BEGINNING}`);
    const dripping = setInterval(() => socket.write('Slow\n'), 20);
    await expect.poll(() => isClosed, { timeout: 15_000 }).toBe(true);
    clearInterval(dripping);
    expect(received).toMatch(/^HTTP\/1\.1 408 .+request_timeout/s);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await expect.poll(() => uploadsOf(hasty.database.db)).toEqual([]);
  });
});
