import type { WebhookTest } from '@roster/api';
import type { Resolve } from '@roster/api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault } from '../support/problems.ts';
import { QUICKLY, webhooksOf } from '../support/webhooks.ts';
import { quiet, useWebhooks } from './webhook-scene.ts';

const { server, receiver, aWebhook } = useWebhooks();

describe('a server that allows no private networks', () => {
  /** Host names that resolve to the addresses of their owners. */
  const addresses: Record<string, string[]> = {
    'inside.example.com': ['127.0.0.1'],
    'partly.example.com': ['8.8.8.8', '127.0.0.1'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
  };
  const resolve: Resolve = (hostname, _, done) => {
    const found = addresses[hostname] ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  let guarded: TestServer;
  beforeAll(async () => {
    guarded = await startTestServer({ webhooks: { ...QUICKLY, isPrivateAllowed: false, resolve } });
  });
  afterAll(() => guarded[Symbol.asyncDispose]());

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://localhost:8443/',
    'http://hooks.example.com/',
    'https://ana:secret@hooks.example.com/',
  ])('rejects %s in a new webhook and in a changed one', async (url) => {
    const fault = { pointer: '#/url', code: 'not_allowed' };
    await expectFault(await guarded.request('POST', '/webhooks', { url }), 'validation_failed', fault);
    const { id } = await webhooksOf(guarded).create({ url: 'https://hooks.example.com/', ...quiet });
    const changed = await guarded.request('PATCH', `/webhooks/${id}`, { url });
    await expectFault(changed, 'validation_failed', fault);
    const problem = await problemOf(await call(guarded, ['webhooks.create', { url }]));
    expect(problem.errors).toMatchObject([fault]);
  });

  it.each(['inside.example.com', 'partly.example.com', 'mapped.example.com'])(
    'does not call %s, whose address is not public when the connection is made',
    async (host) => {
      const { port } = new URL(receiver().url);
      const { id } = await webhooksOf(guarded).create({ url: `https://${host}:${port}/`, ...quiet });
      const before = receiver().received.length;
      expect(await webhooksOf(guarded).put<WebhookTest>(id, 'test')).toMatchObject({
        status: null,
        error: 'The name belongs to an address that is not public.',
      });
      expect(receiver().received).toHaveLength(before);
    },
  );

  it('does not call a URL that was allowed when the webhook was created and is not any more', async () => {
    await using lenient = await startTestServer({ database: guarded.database });
    const { id } = await webhooksOf(lenient).create({ url: receiver().url, ...quiet });
    expect(await webhooksOf(guarded).put<WebhookTest>(id, 'test')).toMatchObject({
      error: 'The URL must be an https URL.',
    });
  });
});

describe('a response', () => {
  it('is read up to its limit', async () => {
    const { id } = await aWebhook();
    receiver().onMessage = () => ({ status: 200, body: Buffer.alloc(10_000_000, 'x') });
    const { body, status } = await webhooksOf(server()).put<WebhookTest>(id, 'test');
    expect([body, status]).toEqual(['x'.repeat(500), 200]);
  });
});
