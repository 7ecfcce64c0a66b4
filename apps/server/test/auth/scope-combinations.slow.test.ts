import { type Scope, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessFixture, createAccessFixture } from '../support/auth/access.ts';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let access: AccessFixture;
let scheduledChangeId: string;
beforeAll(async () => {
  server = await startTestServer();
  access = await createAccessFixture(server);
  scheduledChangeId = await directoryOf(server).schedule(access.ids.agents ?? '');
});
afterAll(() => server[Symbol.asyncDispose]());

/** Requests that concern two resources, and the scopes that each needs together. */
const combinations: [
  what: string,
  needed: Scope[],
  method: string,
  path: () => string,
  body?: object | (() => object),
][] = [
  [
    'deactivating an office with its agents',
    ['offices:write', 'agents:write'],
    'PUT',
    () => `/offices/${access.ids.spare}/deactivate`,
    { cascade: true },
  ],
  [
    'transferring the agents of an office',
    ['offices:write', 'agents:write'],
    'PUT',
    () => `/offices/${access.ids.offices}/transfer-agents`,
    () => ({ toOfficeId: access.ids.offices }),
  ],
  ['scheduled changes', ['offices:read', 'agents:read', 'teams:read'], 'GET', () => '/scheduled-changes'],
  [
    'reading a scheduled change',
    ['offices:read', 'agents:read', 'teams:read'],
    'GET',
    () => `/scheduled-changes/${scheduledChangeId}`,
  ],
  [
    'cancelling a scheduled change',
    ['offices:write', 'agents:write', 'teams:write'],
    'DELETE',
    () => `/scheduled-changes/${scheduledChangeId}`,
  ],
  [
    'the history of an office',
    ['offices:read', 'events:read'],
    'GET',
    () => `/offices/${access.ids.offices}/history`,
  ],
  [
    'the history of an agent',
    ['agents:read', 'events:read'],
    'GET',
    () => `/agents/${access.ids.agents}/history`,
  ],
  [
    'reverting an agent',
    ['agents:write', 'agents:read', 'events:read'],
    'PUT',
    () => `/agents/${access.ids.agents}/revert`,
    { toVersion: 1 },
  ],
  ['agents with their offices', ['agents:read', 'offices:read'], 'GET', () => '/agents?expand=office'],
  [
    'events of every type',
    ['events:read', 'offices:read', 'agents:read', 'teams:read'],
    'GET',
    () => '/events?after=latest',
  ],
  [
    'events of both records',
    ['events:read', 'offices:read', 'agents:read'],
    'GET',
    () => '/events?types=office.created&types=agent.created',
  ],
  ['events of offices', ['events:read', 'offices:read'], 'GET', () => '/events?types=office.created'],
  ['events of agents', ['events:read', 'agents:read'], 'GET', () => '/events?types=agent.created'],
  ['events of keys', ['events:read', 'keys:manage'], 'GET', () => '/events?types=key.created'],
  ['events of webhooks', ['events:read', 'webhooks:manage'], 'GET', () => '/events?types=webhook.created'],
  [
    'the stream of every type',
    ['events:read', 'offices:read', 'agents:read', 'teams:read'],
    'GET',
    () => '/events/stream',
  ],
  ['the stream of agents', ['events:read', 'agents:read'], 'GET', () => '/events/stream?types=agent.created'],
  [
    'a webhook of every type',
    ['webhooks:manage', 'offices:read', 'agents:read', 'teams:read'],
    'POST',
    () => '/webhooks',
    { url: 'http://127.0.0.1:9/' },
  ],
  [
    'a webhook of agents',
    ['webhooks:manage', 'agents:read'],
    'POST',
    () => '/webhooks',
    { url: 'http://127.0.0.1:9/', types: ['agent.purged'] },
  ],
  [
    'changing the URL of a webhook',
    ['webhooks:manage', 'offices:read'],
    'PATCH',
    () => `/webhooks/${access.ids.webhooks}`,
    { url: 'http://127.0.0.1:9/' },
  ],
  [
    'adding events of agents to a webhook of offices',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PATCH',
    () => `/webhooks/${access.ids.webhooks}`,
    { types: ['office.purged', 'agent.purged'] },
  ],
  [
    'replaying a webhook',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PUT',
    () => `/webhooks/${access.ids.webhooks}/replay`,
    { after: '0' },
  ],
  [
    'rotating the secret of a webhook',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PUT',
    () => `/webhooks/${access.ids.webhooks}/rotate`,
  ],
];

describe.each(combinations)('%s', (_, needed, method, path, body) => {
  const statusOf = async (given: readonly Scope[]) => {
    const key = bearer((await keyWith(server, given)).secret);
    const sent = typeof body === 'function' ? body() : body;
    const response = await server.request(method, path(), sent, key);
    await response.body?.cancel();
    const challenge = response.headers.get('WWW-Authenticate');
    return { status: response.status, challenge };
  };

  it(`needs ${needed.join(' and ')}`, async () => {
    for (const missing of needed) {
      const given = scopes.filter((scope) => scope !== missing);
      expect(await statusOf(given), missing).toEqual({
        status: 403,
        challenge: `Bearer realm="Roster", error="insufficient_scope", scope="${missing}"`,
      });
    }
    expect((await statusOf(needed)).status).toBeLessThan(300);
  });
});
