import type { Problem } from '@roster/api';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bearer } from '../support/auth/keys.ts';
import { personWith } from '../support/auth/people.ts';
import { bodyOf } from '../support/fixtures.ts';
import { useViews } from '../support/views.ts';

type Headers = Record<string, string>;

const { server, viewer, save, statusOf, idsFor } = useViews();

describe('a private view', () => {
  it('is seen, changed and deleted by its owner alone: others, admins too, get 404', async () => {
    const owner = await viewer();
    const { id } = await save(owner.headers);
    expect(await idsFor(owner.headers)).toEqual([id]);
    const admin = await personWith(server(), [{ role: 'admin' }]);
    for (const other of [(await viewer()).headers, admin.headers, bearer(server().key)]) {
      expect(await idsFor(other)).not.toContain(id);
      expect(await statusOf('GET', id, other)).toBe(404);
      expect(await statusOf('PATCH', id, other, { name: 'Mine' })).toBe(404);
      expect(await statusOf('DELETE', id, other)).toBe(404);
    }
    expect(await statusOf('PATCH', id, owner.headers, { name: 'Mine' })).toBe(200);
    expect(await statusOf('DELETE', id, owner.headers)).toBe(204);
  });
});

describe('the query of a view', () => {
  it('is stored as it was given, and is accepted by its list', async () => {
    const query = {
      q: 'ana',
      status: 'active',
      ids: ['01980A3C-5F1E-7C3A-9B1D-2F6F0A9C4E11'],
      sort: 'relevance',
    };
    const view = await save({}, { query });
    expect(view.query).toEqual(query);
    const list = new URLSearchParams(
      Object.entries(view.query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    expect((await server().request('GET', `/agents?${list}`)).status).toBe(200);
  });

  it('is rejected as its list would reject it, with a pointer to each parameter', async () => {
    const rejections = async (method: string, path: string, body: object) =>
      (await bodyOf<Problem>(await server().request(method, path, body))).errors?.map(({ pointer, code }) => [
        pointer,
        code,
      ]);
    const query = { status: ['gone'], mainOfficeId: 'x', limit: '3', sort: 'name' };
    const expected = [
      ['#/query/sort', 'invalid_choice'],
      ['#/query/status/0', 'invalid_choice'],
      ['#/query/limit', 'unknown_field'],
      ['#/query/mainOfficeId', 'unknown_field'],
    ];
    const named = (errors: unknown) => JSON.stringify([...(errors as string[][])].sort());
    const created = await rejections('POST', '/views', { name: 'x', resource: 'agents', query });
    expect(named(created)).toBe(named(expected));
    const { id } = await save({});
    expect(named(await rejections('PATCH', `/views/${id}`, { query }))).toBe(named(expected));
    const unsearched = { name: 'x', resource: 'offices', query: { sort: 'relevance' } };
    expect(await rejections('POST', '/views', unsearched)).toEqual([['#/query/sort', 'not_allowed']]);
  });

  it('is merged with a patch, in which null removes a parameter, and a patch that changes nothing makes no version', async () => {
    const { id, query } = await save({}, { query: { status: 'active', q: 'ana' } });
    const patch = (body: object, headers?: Headers) =>
      server().request('PATCH', `/views/${id}`, body, headers);
    const changed = await patch({ query: { q: null, sort: 'lastName' } }, { 'If-Match': '"1"' });
    expect(changed.headers.get('ETag')).toBe('"2"');
    expect(await changed.json()).toMatchObject({
      query: { status: query.status, sort: 'lastName' },
      version: 2,
    });
    expect((await patch({ query: { sort: 'lastName' } })).headers.get('ETag')).toBe('"2"');
    expect((await patch({ name: 'x' }, { 'If-Match': '"1"' })).status).toBe(412);
    expect((await server().request('DELETE', `/views/${id}`, undefined, { 'If-Match': '"1"' })).status).toBe(
      412,
    );
    expect(
      (await server().request('GET', `/views/${id}`, undefined, { 'If-None-Match': '"2"' })).status,
    ).toBe(304);
  });
});

it('changes of views are no events', async () => {
  const positionOf = async () => {
    const { rows } = await sql<{ last: string }>`select last_position as last from event_log`.execute(
      server().database.db,
    );
    return rows[0]?.last;
  };
  const before = await positionOf();
  const { id } = await save({}, { isShared: true });
  await statusOf('PATCH', id, {}, { name: 'Renamed' });
  await statusOf('DELETE', id, {});
  expect(await positionOf()).toBe(before);
});
