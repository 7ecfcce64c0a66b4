import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Documented,
  documented,
  type ExampleRequest,
  exampleRequests,
} from '../../test/support/examples.ts';
import { imported } from '../../test/support/file-imports.ts';
import { bodyOf, directoryOf } from '../../test/support/fixtures.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { linkFor } from '../../test/support/passkeys.ts';
import { personWith, storePasskey } from '../../test/support/people.ts';

let server: TestServer;
/** The id of an office in examples of references that must exist. */
const EXAMPLE_OFFICE = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
/** The id of a person in such examples. */
const EXAMPLE_PERSON = '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b';
beforeAll(async () => {
  server = await startTestServer();
  await server.database.db.transaction().execute(async (trx) => {
    await sql`alter table office disable trigger require_event`.execute(trx);
    await sql`
      insert into office (id, name, created_at, updated_at, status_changed_at)
      values (${EXAMPLE_OFFICE}, 'Baixa', now(), now(), now())`.execute(trx);
    await sql`alter table office enable trigger require_event`.execute(trx);
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
  views: { name: 'Ours', resource: 'agents', isShared: true },
  keys: { name: 'Website', scopes: ['offices:read'] },
  // Nothing listens there, so that a test is answered at once.
  webhooks: { url: 'http://127.0.0.1:9/', types: ['office.purged'] },
};

/** A job without records, which has ended when it is accepted. */
const job = { filter: { mlsId: ['none'] }, change: { type: 'delete' }, expectedCount: 0 };

/** The id of a record that an operation can be tried on; to be restored, one that is deleted. */
async function subjectOf(path: string): Promise<string> {
  if (path.startsWith('/jobs/')) {
    const answer = await server.request('POST', '/agents/bulk', job);
    return (await bodyOf<{ id: string }>(answer)).id;
  }
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
  const response = await server.request('POST', `/${collection}`, records[collection]);
  const { id } = await bodyOf<{ id: string }>(response);
  if (path.endsWith('/restore')) await server.request('DELETE', `/${collection}/${id}`);
  return id;
}

/** A key with all scopes, because an Idempotency-Key is one of its key: each operation sends the same example. */
async function makeKey(): Promise<string> {
  const response = await server.request('POST', '/keys', { name: 'Examples', scopes });
  return (await bodyOf<{ secret: string }>(response)).secret;
}

async function send(
  { method, path }: Documented,
  key: string,
  { query, headers, body }: ExampleRequest,
): Promise<string> {
  const id = path.includes('{id}') ? await subjectOf(path) : undefined;
  const target = path.replace('{id}', String(id)).replace('{resource}', 'offices');
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
