import { type Operation, resourceNames, type Scope, scopes } from '@roster/api';
import { imported } from '../file-imports.ts';
import { bodyOf, collections, directoryOf } from '../fixtures.ts';
import type { TestServer } from '../index.ts';
import { webhooksOf } from '../webhooks.ts';
import { bearer, keyWith, unknownSecret } from './keys.ts';
import { personWith, storePasskey } from './people.ts';

/** An id of the right form that no record has. */
export const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
type Headers = Record<string, string>;

/** What access is tested with. Keys are given as the headers that carry them. */
export interface AccessFixture {
  /** A record of each resource, and a spare office. */
  ids: Record<string, string>;
  /** Every way to call without a valid key, by what is wrong with it. */
  invalid: Record<string, Headers>;
  /** For each scope a key with every other scope. */
  allBut: Map<Scope, Headers>;
  /** For each scope a key with this scope alone. */
  only: Map<Scope, Headers>;
}

const readScopes = resourceNames.map((name) => `${name}:read` as const);

/** Operations that, for the input of the tests, need other scopes beside their own. */
export const scopesTogether: Record<string, Scope[]> = {
  'events.list': ['events:read', ...readScopes],
  'webhooks.create': ['webhooks:manage', 'offices:read'],
  'people.invite': ['people:manage', ...readScopes, 'events:read'],
  'views.create': ['agents:read'],
  'stats.get': readScopes,
  // The file is one of offices.
  'imports.upload': ['offices:write'],
  'offices.transferAgents': ['offices:write', 'agents:write'],
  'offices.previewReactivate': ['offices:write', 'agents:write'],
  'scheduledChanges.list': readScopes,
  'scheduledChanges.get': readScopes,
  'scheduledChanges.cancel': resourceNames.map((name) => `${name}:write` as const),
  ...Object.fromEntries(
    resourceNames.flatMap((name): [string, Scope[]][] => [
      [`${name}.history`, [`${name}:read`, 'events:read']],
      [`${name}.revert`, [`${name}:write`, `${name}:read`, 'events:read']],
    ]),
  ),
};

/** What every caller may call, and the status of a call with an unknown id by a caller without the scope `people:manage`. */
export const forEveryCaller: Record<string, number> = {
  'sessions.list': 200,
  'settings.get': 200,
  'sessions.current': 200,
  'sessions.get': 404,
  'sessions.revoke': 404,
  'people.revokeSessions': 403,
  'passkeys.list': 200,
  'passkeys.update': 404,
  'passkeys.delete': 404,
};

/** The id of a record that an operation is about. */
export function idFor({ procedure }: Operation, { ids }: AccessFixture): string {
  return ids[procedure.split('.')[0] ?? ''] ?? UNKNOWN_ID;
}

export async function createAccessFixture(server: TestServer): Promise<AccessFixture> {
  const directory = directoryOf(server);
  const records = await Promise.all(
    collections.map(async (name) => [name, (await directory.create(name)).id] as const),
  );
  const victim = await keyWith(server, ['offices:read']);
  const spare = await directory.office();
  const body = { filter: { mlsId: ['none'] }, change: { type: 'delete' }, expectedCount: 0 };
  const job = await bodyOf<{ id: string }>(await server.request('POST', '/agents/bulk', body));
  const scheduledChange = await directory.schedule((await directory.agent()).id);
  const checked = await imported(server, 'name\nBaixa\n');
  const webhook = await webhooksOf(server).create({ url: 'http://127.0.0.1:9/', types: ['office.purged'] });
  const person = await personWith(server, [{ role: 'viewer' }]);
  const saved = { name: 'Mine', resource: 'agents' };
  const view = await bodyOf<{ id: string }>(await server.request('POST', '/views', saved));
  const invited = { personId: person.id };
  const invitation = await bodyOf<{ id: string }>(await server.request('POST', '/invitations', invited));
  const passkey = await storePasskey(server.database, person.id);
  const ids: AccessFixture['ids'] = {
    invitations: invitation.id,
    passkeys: passkey.id,
    views: view.id,
    people: person.id,
    sessions: person.sessionId,
    ...Object.fromEntries(records),
    jobs: job.id,
    imports: checked.id,
    scheduledChanges: scheduledChange,
    keys: victim.id,
    webhooks: webhook.id,
    spare: spare.id,
  };
  const revoked = await keyWith(server, scopes);
  await server.request('PUT', `/keys/${revoked.id}/revoke`);
  const rotated = await keyWith(server, scopes);
  await server.request('PUT', `/keys/${rotated.id}/rotate`, { overlapSeconds: 0 });
  const expired = await keyWith(server, scopes, { expiresAt: '2020-01-01T00:00:00Z' });
  const invalid: AccessFixture['invalid'] = {
    'no key': { Authorization: '' },
    'another scheme': { Authorization: `Basic ${btoa(`ana:${victim.secret}`)}` },
    'a malformed header': { Authorization: `Bearer ${victim.secret} ${victim.secret}` },
    'the key without a scheme': { Authorization: victim.secret },
    'a garbage key': bearer('rst_garbage'),
    'a key with a character changed': bearer(`${victim.secret.slice(0, -1)}g`),
    'a well-formed key that does not exist': bearer(unknownSecret()),
    'a revoked key': bearer(revoked.secret),
    'the previous secret of a rotated key': bearer(rotated.secret),
    'an expired key': bearer(expired.secret),
  };
  const allBut = new Map<Scope, Headers>();
  const only = new Map<Scope, Headers>();
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    allBut.set(scope, bearer((await keyWith(server, others)).secret));
    only.set(scope, bearer((await keyWith(server, [scope])).secret));
  }
  return { ids, invalid, allBut, only };
}
