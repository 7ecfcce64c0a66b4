import { randomUUID } from 'node:crypto';
import type { Office } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { countNamed, newOffice, useServersWithClock, withKey } from '../support/idempotency.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

const HOUR_MS = 60 * 60 * 1_000;

const { server, other, pass, create } = useServersWithClock();

/** What a repeated request must get again: all of the response but the id of the request. */
async function kept(response: Response) {
  const { headers, status } = response;
  return {
    status,
    body: await response.text(),
    etag: headers.get('ETag'),
    location: headers.get('Location'),
  };
}

describe('a request repeated under its Idempotency-Key', () => {
  it('gets the first response of a POST byte for byte, and nothing is created twice', async () => {
    const body = newOffice();
    const headers = withKey();
    const first = await create(body, headers);
    expect(first.headers.has('Idempotency-Replayed')).toBe(false);
    const again = await create(body, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await kept(again)).toEqual(await kept(first));
    expect(again.status).toBe(201);
    expect(await countNamed(server(), body)).toBe(1);
  });

  it('gets the first response of a PATCH, although its If-Match is outdated by it', async () => {
    const { id } = await directoryOf(server()).office();
    const patch = () =>
      server().request('PATCH', `/offices/${id}`, { bio: 'new' }, { ...headers, 'If-Match': '"1"' });
    const headers = withKey();
    const [first, again] = [await patch(), await patch()];
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await kept(again)).toEqual(await kept(first));
    expect((await directoryOf(server()).get('offices', id)).version).toBe(2);
  });

  it('gets the first response over RPC byte for byte', async () => {
    const body = newOffice();
    const headers = withKey();
    const first = await call(server(), ['offices.create', body], headers);
    const again = await call(server(), ['offices.create', body], headers);
    expect(first.headers.has('Idempotency-Replayed')).toBe(false);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
  });

  it('gets the response of REST over RPC', async () => {
    const body = newOffice();
    const headers = withKey();
    const first = await bodyOf(await create(body, headers));
    const again = await call(server(), ['offices.create', body], headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await dataOf(again)).toEqual(first);
  });

  it('gets the first response although the record has been changed and deleted since', async () => {
    const body = newOffice();
    const headers = withKey();
    const first = await kept(await create(body, headers));
    const { id } = JSON.parse(first.body) as Office;
    await directoryOf(server()).patch('offices', id, { bio: 'changed' });
    await directoryOf(server()).remove('offices', id);
    expect(await kept(await create(body, headers))).toEqual(first);
  });

  it('is the same request whatever the order of the names in its body', async () => {
    const { name, metadata } = newOffice();
    const headers = withKey();
    const first = await kept(await create({ name, metadata }, headers));
    const turned = { metadata: { a: metadata.a, b: metadata.b }, name };
    expect(await kept(await create(turned, headers))).toEqual(first);
  });

  it('is served by another server of the deployment', async () => {
    const body = newOffice();
    const headers = withKey();
    const first = await kept(await create(body, headers));
    expect(await kept(await create(body, headers, other()))).toEqual(first);
  });
});

describe('an Idempotency-Key', () => {
  it('is the same quoted and bare', async () => {
    const body = newOffice();
    const key = randomUUID();
    const first = await kept(await create(body, withKey(key)));
    expect(await kept(await create(body, withKey(`"${key}"`)))).toEqual(first);
  });

  it('holds up to 255 visible characters', async () => {
    expect((await create(newOffice(), withKey('k'.repeat(255)))).status).toBe(201);
    expect((await create(newOffice(), withKey(`"${'q'.repeat(255)}"`))).status).toBe(201);
  });

  it.each(['', '""', '"', 'k'.repeat(256), `"${'k'.repeat(256)}"`, 'half"quoted', 'é'])(
    'is not %j',
    async (key) => {
      const fault = { parameter: 'Idempotency-Key', code: 'invalid_format' };
      await expectFault(await create(newOffice(), withKey(key)), 'invalid_parameter', fault);
      const problem = await problemOf(await call(server(), ['offices.create', newOffice()], withKey(key)));
      expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [fault] });
    },
  );

  it('rejects another body', async () => {
    const headers = withKey();
    const body = newOffice();
    await create(body, headers);
    await expectProblem(await create({ ...body, bio: 'more' }, headers), 'idempotency_key_reused');
    const problem = await problemOf(await call(server(), ['offices.create', { name: 'Other' }], headers));
    expect(problem.code).toBe('idempotency_key_reused');
  });

  it('rejects the same body for another record', async () => {
    const headers = withKey();
    const [one, two] = await Promise.all([directoryOf(server()).office(), directoryOf(server()).office()]);
    const patch = (id: string) => server().request('PATCH', `/offices/${id}`, { bio: 'same' }, headers);
    expect((await patch(one.id)).status).toBe(200);
    await expectProblem(await patch(two.id), 'idempotency_key_reused');
  });

  it('is not shared with another API key', async () => {
    const { secret } = await keyWith(server(), ['offices:write']);
    const headers = withKey();
    const body = newOffice();
    const mine = await bodyOf<Office>(await create(body, headers));
    const theirs = await create(body, { ...headers, ...bearer(secret) });
    expect(theirs.headers.has('Idempotency-Replayed')).toBe(false);
    expect((await bodyOf<Office>(theirs)).id).not.toBe(mine.id);
  });

  it('is not shared with another operation', async () => {
    const headers = withKey();
    const { id } = await bodyOf<Office>(await create(newOffice(), headers));
    const patched = await server().request('PATCH', `/offices/${id}`, { bio: 'x' }, headers);
    expect(patched.status).toBe(200);
    const agent = await server().request('POST', '/agents', { firstName: 'Ana', lastName: 'Silva' }, headers);
    expect(agent.status).toBe(201);
  });

  it('does not store an error: the corrected request may use the key', async () => {
    const headers = withKey();
    await expectProblem(await create({ name: '' }, headers), 'validation_failed');
    const absent = { ...newOffice(), mainOfficeId: randomUUID() };
    await expectProblem(await create(absent, headers), 'reference_not_found');
    const mended = await create(newOffice(), headers);
    expect(mended.status).toBe(201);
    expect(mended.headers.has('Idempotency-Replayed')).toBe(false);
  });

  it.each(['/keys', '/keys/{id}/rotate'])('is rejected if the response has a secret: %s', async (path) => {
    const { id } = await keyWith(server(), ['offices:read']);
    const isNew = path === '/keys';
    const body = isNew ? { name: 'Kept', scopes: ['offices:read'] } : {};
    const response = await server().request(
      isNew ? 'POST' : 'PUT',
      path.replace('{id}', id),
      body,
      withKey(),
    );
    await expectFault(response, 'invalid_parameter', { parameter: 'Idempotency-Key', code: 'not_allowed' });
  });

  it('rejects an unreadable body with validation_failed, not with an internal error', async () => {
    const deep = `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    await expectProblem(await create(deep, withKey()), 'validation_failed');
    expect((await problemOf(await call(server(), ['offices.create', deep], withKey()))).code).toBe(
      'validation_failed',
    );
  });
});

describe('a stored response', () => {
  it('is stored for 24 hours and no longer', async () => {
    const body = newOffice();
    const headers = withKey();
    const { id } = await bodyOf<Office>(await create(body, headers));
    pass(24 * HOUR_MS - 1);
    expect((await bodyOf<Office>(await create(body, headers))).id).toBe(id);
    pass(1);
    const repeated = await create(body, headers);
    expect(repeated.headers.has('Idempotency-Replayed')).toBe(false);
    expect((await bodyOf<Office>(repeated)).id).not.toBe(id);
    expect((await create(body, headers)).headers.get('Idempotency-Replayed')).toBe('true');
  });
});
