import type { DeletedRecord } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { personWith } from '../support/auth/people.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function listed(headers: Record<string, string> = {}, query = ''): Promise<DeletedRecord[]> {
  const response = await server.request('GET', `/deleted-records?limit=200${query}`, undefined, headers);
  expect(response.status).toBe(200);
  return (await bodyOf<{ items: DeletedRecord[] }>(response)).items;
}

const idsOf = (records: DeletedRecord[]) => records.map(({ id }) => id);

async function deleted(
  resource: 'offices' | 'agents',
  fields: Record<string, unknown> = {},
  headers = {},
): Promise<string> {
  const directory = directoryOf(server);
  const { id } = resource === 'offices' ? await directory.office(fields) : await directory.agent(fields);
  expect((await server.request('DELETE', `/${resource}/${id}`, undefined, headers)).status).toBe(204);
  return id;
}

it('has what was deleted, with its last state, who did it and until when it can be restored, newest first', async () => {
  const { headers, id: actorId } = await personWith(server, [{ role: 'editor' }]);
  const agent = await deleted('agents', { firstName: 'Ana', lastName: 'Reis' }, headers);
  const office = await deleted('offices', { name: 'Closed' });
  const [first, second] = await listed();
  expect([first?.id, second?.id]).toEqual([office, agent]);
  expect(first).toMatchObject({ resource: 'offices', record: { name: 'Closed', status: 'active' } });
  expect(second).toMatchObject({
    resource: 'agents',
    actorId,
    reason: null,
    actor: { type: 'person', id: actorId, name: 'Ana Martins' },
    record: { firstName: 'Ana', lastName: 'Reis', version: 1 },
  });
  const days = Date.parse(second?.restorableUntil ?? '') - Date.parse(second?.deletedAt ?? '');
  expect(days).toBe(30 * 24 * 60 * 60 * 1_000);
});

it('a restored record is in it no more, nor is one whose time is over', async () => {
  const [back, old] = [await deleted('offices'), await deleted('offices')];
  expect((await server.request('PUT', `/offices/${back}/restore`)).status).toBe(200);
  await sql`update tombstone set deleted_at = now() - interval '30 days 1 s' where id = ${old}`.execute(
    server.database.db,
  );
  const ids = idsOf(await listed());
  expect(ids).not.toContain(back);
  expect(ids).not.toContain(old);
});

it('is read in pages, and by resource', async () => {
  const ids = [await deleted('agents'), await deleted('agents'), await deleted('agents')];
  const read = async (query: string) =>
    bodyOf<{ items: DeletedRecord[]; nextCursor?: string }>(
      await server.request('GET', `/deleted-records?resource=agents&limit=2${query}`),
    );
  const first = await read('');
  const second = await read(`&cursor=${first.nextCursor}`);
  expect(idsOf([...first.items, ...second.items]).slice(0, 3)).toEqual(ids.reverse());
  for (const { resource } of [...first.items, ...second.items]) expect(resource).toBe('agents');
});

it('is of the resources that the caller may change, and of the offices of the caller', async () => {
  const directory = directoryOf(server);
  const [own, other] = [await directory.office(), await directory.office()];
  const branch = await deleted('offices', { mainOfficeId: own.id });
  const inside = await deleted('agents', { officeId: own.id });
  const outside = await deleted('agents', { officeId: other.id });
  const editor = await personWith(server, [{ role: 'editor', officeIds: [own.id] }]);
  expect(idsOf(await listed(editor.headers)).sort()).toEqual([branch, inside].sort());
  expect(idsOf(await listed())).toContain(outside);
  const ofOffices = await keyWith(server, ['offices:write']);
  const ids = idsOf(await listed(bearer(ofOffices.secret)));
  expect(ids).toContain(branch);
  expect(ids).not.toContain(inside);
  const viewer = await personWith(server, [{ role: 'viewer' }]);
  expect((await server.request('GET', '/deleted-records', undefined, viewer.headers)).status).toBe(403);
});

it('has a record of an older release with the empty values of the fields that it lacks', async () => {
  const id = await deleted('agents', { lastName: 'Old' });
  await sql`
    update tombstone set record = (record::jsonb - 'affiliations' - 'bio')::json where id = ${id}`.execute(
    server.database.db,
  );
  const [found] = (await listed()).filter((record) => record.id === id);
  expect(found?.record).toMatchObject({ lastName: 'Old', affiliations: [], bio: null });
});
