import type { Key, KeyWithSecret } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith, statusWith } from '../support/auth/keys.ts';
import { call, problemOf } from '../support/calls.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
const clock = new Date('2026-01-31T08:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (id: string) => bodyOf<Key>(await server.request('GET', `/keys/${id}`));

describe('a key that manages keys', () => {
  const manager = () => keyWith(server, ['keys:manage', 'agents:read']);

  it('cannot create, change or rotate a key that has more scopes than itself', async () => {
    const { id, secret } = await manager();
    const strong = await keyWith(server, ['keys:manage', 'offices:write'], {
      expiresAt: '2020-01-01T00:00:00Z',
    });
    const attempts = [
      ['POST', '/keys', { name: 'Mine', scopes: ['agents:read', 'offices:write'] }],
      ['PATCH', `/keys/${id}`, { scopes: ['keys:manage', 'offices:write'] }],
      ['PATCH', `/keys/${strong.id}`, { scopes: ['offices:write'] }],
      ['PATCH', `/keys/${strong.id}`, { expiresAt: null }],
      ['PUT', `/keys/${strong.id}/rotate`, {}],
    ] as const;
    for (const [method, path, body] of attempts) {
      const { detail } = await expectProblem(
        await server.request(method, path, body, bearer(secret)),
        'insufficient_scope',
      );
      expect(detail).toContain('offices:write');
    }
    const byRpc = await call(server, ['keys.rotate', { id: strong.id }], bearer(secret));
    expect((await problemOf(byRpc)).code).toBe('insufficient_scope');
    expect(await statusWith(server, strong.secret)).toBe(401);
    expect((await read(id)).scopes).toEqual(['keys:manage', 'agents:read']);
  });

  it('cannot rename, narrow or revoke a key that may do more than itself', async () => {
    const { secret } = await manager();
    const strong = await keyWith(server, ['offices:read', 'agents:read']);
    const attempts = [
      ['PATCH', `/keys/${strong.id}`, { name: 'Mine' }],
      ['PATCH', `/keys/${strong.id}`, { scopes: ['agents:read'] }],
      ['PUT', `/keys/${strong.id}/revoke`, {}],
    ] as const;
    for (const [method, path, body] of attempts) {
      const rejected = await server.request(method, path, body, bearer(secret));
      const { detail } = await expectProblem(rejected, 'insufficient_scope');
      expect(detail).toContain('offices:read');
    }
    expect(await read(strong.id)).toMatchObject({ name: 'A key', scopes: strong.scopes, revokedAt: null });
  });

  it('may make a key like itself, and rename, narrow, rotate and revoke one that may do no more', async () => {
    const { secret } = await manager();
    const peer = await keyWith(server, ['keys:manage', 'agents:read']);
    const as = (method: string, path: string, body?: object) =>
      server.request(method, path, body, bearer(secret));
    expect((await as('POST', '/keys', { name: 'Peer', scopes: ['agents:read'] })).status).toBe(201);
    expect((await as('PATCH', `/keys/${peer.id}`, { name: 'Known' })).status).toBe(200);
    expect((await as('PATCH', `/keys/${peer.id}`, { scopes: ['agents:read'] })).status).toBe(200);
    expect((await as('PUT', `/keys/${peer.id}/rotate`)).status).toBe(200);
    expect((await as('PUT', `/keys/${peer.id}/revoke`)).status).toBe(200);
  });

  describe('and ends', () => {
    const inMinutes = (count: number) => new Date(clock.getTime() + count * MINUTE_MS).toISOString();
    const ending = () => keyWith(server, ['keys:manage', 'agents:read'], { expiresAt: inMinutes(60) });
    const own = ['agents:read'];

    it('gives no later end than its own, to itself or to another', async () => {
      const { id, secret } = await ending();
      const other = await keyWith(server, ['agents:read'], { expiresAt: inMinutes(10) });
      const attempts = [
        ['POST', '/keys', { name: 'For ever', scopes: own }],
        ['POST', '/keys', { name: 'For ever', scopes: own, expiresAt: null }],
        ['POST', '/keys', { name: 'Later', scopes: own, expiresAt: inMinutes(61) }],
        ['PATCH', `/keys/${id}`, { expiresAt: null }],
        ['PATCH', `/keys/${id}`, { expiresAt: inMinutes(61) }],
        ['PATCH', `/keys/${other.id}`, { expiresAt: null }],
      ] as const;
      for (const [method, path, body] of attempts) {
        const fault = { pointer: '#/expiresAt', code: 'too_late' };
        await expectFault(
          await server.request(method, path, body, bearer(secret)),
          'validation_failed',
          fault,
        );
      }
      const byRpc = await call(server, ['keys.update', { id, expiresAt: null }], bearer(secret));
      expect((await problemOf(byRpc)).errors).toMatchObject([{ pointer: '#/expiresAt', code: 'too_late' }]);
      expect((await read(id)).expiresAt).toBe(inMinutes(60));
    });

    it('gives no scope and no new secret to a key that ends later', async () => {
      const { secret } = await ending();
      const lasting = await keyWith(server, ['agents:read']);
      const attempts = [
        ['PATCH', `/keys/${lasting.id}`, { scopes: ['agents:read', 'keys:manage'] }],
        ['PUT', `/keys/${lasting.id}/rotate`, {}],
      ] as const;
      for (const [method, path, body] of attempts) {
        const rejected = await server.request(method, path, body, bearer(secret));
        await expectProblem(rejected, 'insufficient_scope');
      }
    });

    it('may give an end up to its own, rotate itself and rename what ends later', async () => {
      const { id, secret } = await ending();
      const lasting = await keyWith(server, ['agents:read']);
      const body = { name: 'Until then', scopes: own, expiresAt: inMinutes(60) };
      expect((await server.request('POST', '/keys', body, bearer(secret))).status).toBe(201);
      const renamed = await server.request('PATCH', `/keys/${lasting.id}`, { name: 'Known' }, bearer(secret));
      expect(renamed.status).toBe(200);
      const rotated = await server.request('PUT', `/keys/${id}/rotate`, undefined, bearer(secret));
      expect((await bodyOf<Key>(rotated)).expiresAt).toBe(inMinutes(60));
    });
  });

  it('rotates nothing with the previous secret of a rotated key, whose expiry bounds the keys that it makes', async () => {
    const { id, secret: first } = await manager();
    const peer = await keyWith(server, ['agents:read']);
    const second = await bodyOf<KeyWithSecret>(
      await server.request('PUT', `/keys/${id}/rotate`, { overlapSeconds: 60 }),
    );
    for (const target of [id, peer.id]) {
      // Another server may know of the rotation a moment later.
      const rotate = () => server.request('PUT', `/keys/${target}/rotate`, {}, bearer(first));
      await expectProblem(await rotate(), 'insufficient_scope');
      const byRpc = await call(server, ['keys.rotate', { id: target }], bearer(first));
      expect((await problemOf(byRpc)).code).toBe('insufficient_scope');
    }
    const body = { name: 'For ever', scopes: ['agents:read'] };
    const fault = { pointer: '#/expiresAt', code: 'too_late' };
    await expectFault(await server.request('POST', '/keys', body, bearer(first)), 'validation_failed', fault);
    expect((await server.request('POST', '/keys', body, bearer(second.secret))).status).toBe(201);
    expect((await server.request('PUT', `/keys/${peer.id}/rotate`, {}, bearer(second.secret))).status).toBe(
      200,
    );
  });
});
