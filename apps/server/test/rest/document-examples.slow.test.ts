import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFor } from '../support/auth/passkeys.ts';
import { personWith, storePasskey } from '../support/auth/people.ts';
import { type Documented, documented, type ExampleRequest, exampleRequests } from '../support/examples.ts';
import { imported } from '../support/file-imports.ts';
import { bodyOf, directoryOf, type Page } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { until } from '../support/webhooks.ts';

let server: TestServer;
/** The id of an office in examples of references that must exist. */
const EXAMPLE_OFFICE = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
/** The id of a person in such examples. */
const EXAMPLE_PERSON = '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b';
/** The id of an agent in such examples, and of a record that is merged into another one. */
const EXAMPLE_AGENT = '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a';
beforeAll(async () => {
  server = await startTestServer();
  await server.database.db.transaction().execute(async (trx) => {
    await sql`alter table office disable trigger require_event`.execute(trx);
    await sql`
      insert into office (id, name, created_at, updated_at, status_changed_at)
      values (${EXAMPLE_OFFICE}, 'Baixa', now(), now(), now())`.execute(trx);
    await sql`alter table office enable trigger require_event`.execute(trx);
    await sql`alter table agent disable trigger require_event`.execute(trx);
    await sql`
      insert into agent (id, first_name, last_name, created_at, updated_at, status_changed_at)
      values (${EXAMPLE_AGENT}, 'Ana', 'Reis', now(), now(), now())`.execute(trx);
    await sql`alter table agent enable trigger require_event`.execute(trx);
    await sql`
      insert into person (id, name, email, status, grants, created_at, updated_at)
      values (${EXAMPLE_PERSON}, 'Ana', 'ana@example.example', 'invited', '[]', now(), now())`.execute(trx);
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** The least that makes a record, for operations about one. */
const records: Record<string, object> = {
  offices: { name: 'Atlântico' },
  agents: { firstName: 'Ana', lastName: 'Reis' },
  teams: { name: 'Equipa', members: [{ agentId: EXAMPLE_AGENT }] },
  views: { name: 'Ours', resource: 'agents', isShared: true },
  keys: { name: 'Website', scopes: ['offices:read'] },
  // Nothing listens there, so that a test is answered at once.
  webhooks: { url: 'http://127.0.0.1:9/', types: ['office.purged'] },
};

/** A file of agents with the texts of the examples of corrections, in a row 17 too. */
const corrected = `Name,Office\nCasa Clara Lisbao,Exampel office\n${'Exampel office,\n'.repeat(20)}`;

/** A job without records, which has ended when it is accepted. */
const job = { filter: { mlsId: ['none'] }, change: { type: 'delete' }, expectedCount: 0 };

async function make(collection: string, more: object = {}): Promise<string> {
  const response = await server.request('POST', `/${collection}`, { ...records[collection], ...more });
  return (await bodyOf<{ id: string }>(response)).id;
}

/** The pairs of records that may be the same, which are found within seconds, by resource. */
const pairs = new Map<string, Promise<string>>();

async function findPair(collection: string): Promise<string> {
  const alike = { mlsId: 'LX-PAIR', phone: '+351210000042' };
  const [recordId] = [await make(collection, alike), await make(collection, alike)];
  const read = async () =>
    (
      await bodyOf<Page<{ id: string }>>(
        await server.request('GET', `/${collection}/duplicates?recordId=${recordId}`),
      )
    ).items;
  await until(async () => (await read()).length > 0, 'the pair');
  return (await read())[0]?.id ?? '';
}

function pairOf(collection: string): Promise<string> {
  const found = pairs.get(collection) ?? findPair(collection);
  pairs.set(collection, found);
  return found;
}

/** The id of a record that can be merged into another one; it has the version of the examples. */
async function makeDuplicate(collection: string): Promise<string> {
  const id = await make(collection);
  await server.request('PATCH', `/${collection}/${id}`, { phone: '+351210000043' });
  return id;
}

/** The id of a record that was merged into another one. */
async function makeMerged(collection: string): Promise<string> {
  const duplicateId = await makeDuplicate(collection);
  await server.request('POST', `/${collection}/${await make(collection)}/merge`, { duplicateId });
  return duplicateId;
}

/** The id of a record that an operation can be tried on; to be restored, one that is deleted. */
async function subjectOf(path: string): Promise<string> {
  if (path.startsWith('/jobs/')) {
    const result = await server.request('POST', '/agents/bulk', job);
    return (await bodyOf<{ id: string }>(result)).id;
  }
  if (path.endsWith('/corrections'))
    return (await imported(server, corrected, { path: '/imports/agents/file' })).id;
  if (path.startsWith('/imports/')) return (await imported(server, 'name\nBaixa\n')).id;
  const [, collection = ''] = path.split('/');
  if (collection === 'invitations') {
    return (await linkFor(server, (await personWith(server, [{ role: 'viewer' }])).id)).id;
  }
  if (collection === 'passkeys') {
    const { id } = await personWith(server, [{ role: 'viewer' }]);
    return (await storePasskey(server.database, id)).id;
  }
  if (collection === 'people') return (await personWith(server, [{ role: 'viewer' }])).id;
  if (collection === 'sessions') return (await personWith(server, [{ role: 'viewer' }])).sessionId;
  if (collection === 'scheduled-changes') {
    return directoryOf(server).schedule((await directoryOf(server).agent()).id);
  }
  if (path.includes('/duplicates/')) return pairOf(collection);
  if (path.endsWith('/unmerge')) return makeMerged(collection);
  const id = await make(collection);
  if (path.endsWith('/restore')) await server.request('DELETE', `/${collection}/${id}`);
  if (path.endsWith('/revert'))
    await server.request('PATCH', `/${collection}/${id}`, { phone: '+351210000077' });
  return id;
}

/** A key with all scopes, because an Idempotency-Key is one of its key: each operation sends the same example. */
async function makeKey(): Promise<string> {
  const response = await server.request('POST', '/keys', { name: 'Examples', scopes });
  return (await bodyOf<{ secret: string }>(response)).secret;
}

/** The example of a merge with a record that is there: the one of the example before was merged. */
async function withDuplicate(path: string, example: unknown): Promise<unknown> {
  const [, collection = ''] = path.split('/');
  return { ...(example as object), duplicateId: await makeDuplicate(collection) };
}

async function send(
  { method, path }: Documented,
  key: string,
  { query, headers, body: example }: ExampleRequest,
): Promise<string> {
  const body = path.endsWith('{id}/merge') ? await withDuplicate(path, example) : example;
  const id = path.includes('{id}') ? await subjectOf(path) : undefined;
  const target = path
    .replace('{id}', String(id))
    .replace('{agentId}', EXAMPLE_AGENT)
    .replace('{resource}', 'offices');
  const url = query === undefined ? target : `${target}?${query}`;
  const response = await server.request(method, url, body, { Authorization: `Bearer ${key}`, ...headers });
  if (path.endsWith('/stream')) {
    await response.body?.cancel();
    return response.ok ? 'accepted' : `${response.status}`;
  }
  const text = await response.text();
  // What has to be unique is free for the next example.
  const made =
    id === undefined ? response.headers.get('Location') : target.slice(0, target.indexOf(id) + id.length);
  if (made !== null) await server.request('DELETE', made);
  return response.ok || response.status === 304 ? 'accepted' : `${response.status} ${text}`;
}

describe('every example of the document is accepted', () => {
  it.each(documented.map((one) => [one.operation.operationId, one] as const))('of %s', async (_, one) => {
    const key = await makeKey();
    const requests = exampleRequests(one.operation);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      expect(await send(one, key, request), `${request.place} ${JSON.stringify(request.body)}`).toBe(
        'accepted',
      );
    }
  });
});
