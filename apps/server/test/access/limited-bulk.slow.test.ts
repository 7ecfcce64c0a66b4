import { type Agent, type ImportResponse, type Job, type ScheduledChange, scopes } from '@roster/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf, type Page } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';
import { until } from '../support/webhooks.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server[Symbol.asyncDispose]());

/** Two offices, each with an agent, and what a key that is limited to the first of them requests. */
async function limitedScene() {
  const directory = directoryOf(server);
  const { id: own } = await directory.office({ name: 'Porto' });
  const { id: other } = await directory.office({ name: 'Lisboa' });
  const mine = await directory.agent({ officeId: own, email: 'mine@roster.example' });
  const theirs = await directory.agent({ officeId: other, email: 'theirs@roster.example' });
  const records = scopes.filter((scope) => /:(read|write)$/.test(scope));
  const { secret } = await keyWith(server, records, { officeIds: [own] });
  const request: TestServer['request'] = (method, path, body, headers = {}) =>
    server.request(method, path, body, { ...bearer(secret), ...headers });
  return { directory, own, other, mine, theirs, request };
}

const eva = { firstName: 'Eva', lastName: 'Reis' };

describe('a limited key over REST', () => {
  it('imports into its offices, also into one that it has created in the call before', async () => {
    const { own, other, request } = await limitedScene();
    const office = { name: 'Gaia', mainOfficeId: own, source: { name: 'MLS', key: '1' } };
    const created = await request('POST', '/imports/offices', { records: [office] });
    expect(created.status).toBe(200);
    const { results } = await bodyOf<ImportResponse>(created);
    const branch = results[0]?.id ?? '';
    const records = [
      { ...eva, officeId: branch },
      { ...eva, officeId: other },
      { ...eva, email: 'theirs@roster.example', officeId: own },
      eva,
    ];
    const response = await request('POST', '/imports/agents', { records, isAtomic: false });
    expect(response.status).toBe(207);
    const { results: agents } = await bodyOf<ImportResponse>(response);
    expect(agents.map(({ status, error }) => error?.code ?? status)).toEqual([
      ...['created', 'reference_not_found', 'email_taken', 'insufficient_scope'],
    ]);
    await expectProblem(await request('POST', '/imports/agents', { records: [eva] }), 'insufficient_scope');
  });

  it('changes many records of its offices by a job, which a key of other offices does not see', async () => {
    const { directory, other, mine, theirs, request } = await limitedScene();
    const change = { type: 'update', patch: { title: 'Broker' } };
    const bulk = { filter: { all: true }, change };
    await expectProblem(
      await request('POST', '/agents/bulk', { ...bulk, expectedCount: 2 }),
      'count_mismatch',
    );
    const accepted = await request('POST', '/agents/bulk', { ...bulk, expectedCount: 1 });
    expect(accepted.status).toBe(202);
    const { id } = await bodyOf<Job>(accepted);
    const job = async () => bodyOf<Job>(await request('GET', `/jobs/${id}`));
    await until(async () => (await job()).status === 'completed', 'the job');
    expect(await job()).toMatchObject({ total: 1, changed: 1 });
    expect(await directory.get('agents', mine.id)).toMatchObject({ title: 'Broker' });
    expect(await directory.get('agents', theirs.id)).toMatchObject({ title: null, version: 1 });
    const { secret } = await keyWith(server, ['agents:read', 'agents:write'], { officeIds: [other] });
    for (const [method, path] of [
      ['GET', `/jobs/${id}`],
      ['GET', `/jobs/${id}/errors`],
      ['PUT', `/jobs/${id}/cancel`],
      ['PUT', `/jobs/${id}/undo`],
    ] as const)
      await expectProblem(await server.request(method, path, undefined, bearer(secret)), 'not_found');
    const listed = await server.request('GET', '/jobs', undefined, bearer(secret));
    expect(await bodyOf(listed)).toMatchObject({ items: [] });
  });

  it('schedules changes of its records, and sees those alone', async () => {
    const { directory, own, other, mine, theirs, request } = await limitedScene();
    const effectiveAt = new Date(Date.now() + 3_600_000).toISOString();
    await directory.put('agents', theirs.id, 'deactivate', { effectiveAt });
    const put = (path: string, body: object) => request('PUT', path, { effectiveAt, ...body });
    const scheduled = await put(`/agents/${mine.id}/deactivate`, {});
    expect(await bodyOf<Agent>(scheduled)).toMatchObject({ scheduledChanges: [{ change: 'deactivate' }] });
    await expectProblem(await put(`/agents/${theirs.id}/deactivate`, {}), 'not_found');
    await expectProblem(await put(`/agents/${mine.id}/transfer`, { officeId: other }), 'reference_not_found');
    const move = { toOfficeId: other };
    await expectProblem(await put(`/offices/${own}/transfer-agents`, move), 'reference_not_found');
    const { items } = await bodyOf<Page<ScheduledChange>>(await request('GET', '/scheduled-changes'));
    expect(items.map(({ subject }) => subject)).toEqual([mine.id]);
    const cancelled = await request('DELETE', `/scheduled-changes/${items[0]?.id}`);
    expect(await bodyOf(cancelled)).toMatchObject({ status: 'cancelled' });
  });

  it('gets no stored response with an agent who has left', async () => {
    const { directory, own, other, request } = await limitedScene();
    const once = { 'Idempotency-Key': 'once' };
    const create = () => request('POST', '/agents', { ...eva, officeId: own }, once);
    const { id } = await bodyOf<Agent>(await create());
    const replayed = await create();
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await bodyOf(replayed)).toMatchObject({ id });
    await directory.put('agents', id, 'transfer', { officeId: other });
    await expectProblem(await create(), 'not_found');
  });
});
