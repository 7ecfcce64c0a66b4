import { expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';

it('redirects a GET of a record that was merged to the survivor, and names that in the error of a change', async () => {
  await using server = await startTestServer();
  const { office } = directoryOf(server);
  const [survivor, duplicate] = [await office(), await office()];
  const ifMatch = { 'If-Match': '"1"' };
  const body = { duplicateId: duplicate.id, duplicateVersion: 1 };
  const merged = await server.request('POST', `/offices/${survivor.id}/merge`, body, ifMatch);
  expect([merged.status, merged.headers.get('etag')]).toEqual([200, '"2"']);
  const get = await fetch(`${server.url}/offices/${duplicate.id}?expand=counts`, {
    headers: { Authorization: `Bearer ${server.key}` },
    redirect: 'manual',
  });
  expect(get.status).toBe(301);
  expect(get.headers.get('location')).toBe(`/offices/${survivor.id}?expand=counts`);
  expect(get.headers.get('cache-control')).toBe('no-store');
  const patch = await server.request('PATCH', `/offices/${duplicate.id}`, { bio: 'x' });
  expect(patch.status).toBe(410);
  expect(await patch.json()).toMatchObject({ code: 'record_merged', mergedInto: survivor.id });
  const again = await server.request('POST', `/offices/${survivor.id}/merge`, body, ifMatch);
  expect(again.status).toBe(412);
  const undone = await server.request('PUT', `/offices/${duplicate.id}/unmerge`);
  expect(await undone.json()).toMatchObject({ id: duplicate.id, survivorId: survivor.id, conflicts: [] });
  expect((await server.request('GET', `/offices/${duplicate.id}`)).status).toBe(200);
});

it('says in RESO and RPC too into which record one was merged', async () => {
  await using server = await startTestServer();
  const { office } = directoryOf(server);
  const [survivor, duplicate] = [await office(), await office()];
  await server.request('POST', `/offices/${survivor.id}/merge`, { duplicateId: duplicate.id });
  const reso = await server.request('GET', `/reso/Office('${duplicate.id}')`);
  expect([reso.status, await reso.text()]).toEqual([410, expect.stringContaining(survivor.id)]);
  const input = encodeURIComponent(JSON.stringify({ id: duplicate.id }));
  const rpc = await server.request('GET', `/trpc/offices.get?input=${input}`);
  expect(rpc.status).toBe(410);
  const text = await rpc.text();
  expect(text).toContain('record_merged');
  expect(text).toContain(`"mergedInto":"${survivor.id}"`);
});
