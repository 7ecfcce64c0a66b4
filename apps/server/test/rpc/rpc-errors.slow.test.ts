import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Call, call, problemOf } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';
import { useServer } from '../support/use-server.ts';
import { essence } from './essence.ts';

const server = useServer();

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** Calls that RPC must reject, also after REST has converted the same text to numbers and booleans. */
const mistyped: Call[] = [
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 'true' }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 'false' }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 1 }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: '' }],
  ['offices.delete', { id: UNKNOWN_ID, ifVersion: '1' }],
  ['imports.offices', { records: [{ name: 'x' }], dryRun: 'true' }],
  ['keys.rotate', { id: UNKNOWN_ID, overlapSeconds: '60' }],
  ['webhooks.rotate', { id: UNKNOWN_ID, overlapSeconds: '60' }],
  ['offices.create', { name: 5 }],
  ['offices.create', { name: true }],
  ['agents.update', { id: UNKNOWN_ID, licenses: [{ number: 5 }] }],
  ['offices.list', { limit: 'x' }],
  ['offices.list', { limit: '' }],
  ['offices.list', { limit: null }],
  ['offices.list', { limit: true }],
  ['offices.list', { includeTotal: 'yes' }],
  ['offices.list', { includeTotal: 1 }],
  ['agents.list', { createdSince: 5 }],
];

async function useRest(): Promise<void> {
  const requests: [method: string, path: string, body: object][] = [
    ['POST', '/imports/offices', { records: [{ name: 'x' }], isAtomic: true, dryRun: true }],
    ['PUT', `/keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: 60 }],
    ['PUT', `/webhooks/${UNKNOWN_ID}/rotate`, { overlapSeconds: 60 }],
  ];
  for (const [method, path, body] of requests) await server().request(method, path, body);
  for (const resource of ['offices', 'agents'] as const) {
    const { id } = await directoryOf(server()).create(resource);
    await directoryOf(server()).patch(resource, id, { bio: 'x' });
    await directoryOf(server()).list(resource, 'limit=5&includeTotal=true&createdSince=2026-01-31T08:00:00Z');
    await directoryOf(server()).put(
      resource,
      id,
      'deactivate',
      resource === 'offices' ? { cascade: true } : {},
    );
    await directoryOf(server()).put(resource, id, 'reactivate');
    await directoryOf(server()).get(resource, id);
    await directoryOf(server()).remove(resource, id);
    await directoryOf(server()).put(resource, id, 'restore');
  }
}

describe('an RPC error', () => {
  it('is the same before and after every REST operation was called', async () => {
    const problems = async () =>
      Promise.all(mistyped.map(async (rpcCall) => essence(await problemOf(await call(server(), rpcCall)))));
    const before = await problems();
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([400, 422]));
    await useRest();
    expect(await problems()).toEqual(before);
  });

  it('that is internal has nothing of its cause', async () => {
    await using broken = await startTestServer();
    await sql`alter table office rename record to json`.execute(broken.database.db);
    const response = await call(broken, ['offices.list', {}]);
    const text = await response.clone().text();
    expect((await problemOf(response)).code).toBe('internal');
    expect(text).not.toMatch(/bio|column|select|stack/);
  });
});
