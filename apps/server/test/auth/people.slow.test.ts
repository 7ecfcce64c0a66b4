import type { Person, Problem } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { personWith } from '../support/auth/people.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';

type Headers = Record<string, string>;
interface Page<Item> {
  items: Item[];
}

describe('the last person with the role admin for everything', () => {
  it('cannot end their own right, and a key can', async () => {
    await using alone = await startTestServer();
    const person = await personWith(alone, [{ role: 'admin' }]);
    const path = `/people/${person.id}`;
    const attempt = async (headers: Headers, method: string, at = path, body?: unknown) => {
      const response = await alone.request(method, at, body, headers);
      return response.ok ? 'ok' : ((await response.json()) as Problem).code;
    };
    const fewer = { grants: [{ role: 'viewer' }] };
    expect(await attempt(person.headers, 'DELETE')).toBe('last_admin');
    expect(await attempt(person.headers, 'PUT', `${path}/deactivate`)).toBe('last_admin');
    expect(await attempt(person.headers, 'PATCH', path, fewer)).toBe('last_admin');
    const second = await personWith(alone, [{ role: 'admin' }]);
    expect(await attempt(person.headers, 'PATCH', path, fewer)).toBe('ok');
    expect(await attempt(second.headers, 'PUT', `/people/${second.id}/deactivate`)).toBe('last_admin');
    expect(await attempt({}, 'PUT', `/people/${second.id}/deactivate`)).toBe('ok');
  });

  it('remains if two admins end the right of each other at the same time', async () => {
    await using alone = await startTestServer();
    const [one, two] = [
      await personWith(alone, [{ role: 'admin' }]),
      await personWith(alone, [{ role: 'admin' }]),
    ];
    await Promise.all([
      alone.request('PUT', `/people/${two.id}/deactivate`, undefined, one.headers),
      alone.request('PUT', `/people/${one.id}/deactivate`, undefined, two.headers),
    ]);
    const { items } = await bodyOf<Page<Person>>(await alone.request('GET', '/people?status=active'));
    expect(items).toHaveLength(1);
  });
});
