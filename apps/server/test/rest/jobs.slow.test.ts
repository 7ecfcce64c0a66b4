import { setTimeout } from 'node:timers/promises';
import type { Job } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf, type Page } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** An office with so many agents, and the filter that selects them. */
async function officeWith(agents: number) {
  const { office, agent } = directoryOf(server);
  const { id } = await office();
  for (let n = 0; n < agents; n += 1) await agent({ officeId: id });
  return { officeId: [id] };
}

async function ended(id: string): Promise<Job> {
  for (;;) {
    const job = await bodyOf<Job>(await server.request('GET', `/jobs/${id}`));
    if (job.finishedAt !== null) return job;
    await setTimeout(20);
  }
}

describe('PUT /offices/{id}/transfer-agents', () => {
  it('returns 202 with the office, the job and its place for more than 1,000 agents, and a worker moves them', async () => {
    const { office } = directoryOf(server);
    const [from, to] = [await office(), await office()];
    const agent = { firstName: 'Ana', lastName: 'Reis', officeId: from.id };
    const transfer = () =>
      server.request('PUT', `/offices/${from.id}/transfer-agents`, { toOfficeId: to.id });
    await server.request('POST', '/imports/agents', { records: [agent] });
    expect((await transfer()).status).toBe(200);
    for (const count of [500, 500, 1])
      await server.request('POST', '/imports/agents', { records: Array(count).fill(agent) });
    const response = await transfer();
    const { id, moved, job } = await bodyOf<{ id: string; moved: number; job: Job }>(response);
    expect([response.status, response.headers.get('Location'), id, moved]).toEqual([
      202,
      `/jobs/${job.id}`,
      from.id,
      0,
    ]);
    expect(await ended(job.id)).toMatchObject({ status: 'completed', changed: 1_001 });
    const { total } = await bodyOf<{ total: number }>(
      await server.request('GET', `/agents?officeId=${to.id}&includeTotal=true&limit=1`),
    );
    expect(total).toBe(1_002);
  });
});

describe('POST /agents/bulk', () => {
  it('returns 202 with the job and its place, and a worker changes the records', async () => {
    const filter = await officeWith(3);
    const body = { filter, change: { type: 'update', patch: { title: 'Broker' } }, expectedCount: 3 };
    const response = await server.request('POST', '/agents/bulk', body);
    const job = await bodyOf<Job>(response);
    expect([response.status, response.headers.get('Location')]).toEqual([202, `/jobs/${job.id}`]);
    expect(await ended(job.id)).toMatchObject({
      status: 'completed',
      changed: 3,
      resource: 'agents',
      filter,
    });
    const { items } = await bodyOf<Page<{ title: string }>>(
      await server.request('GET', `/agents?officeId=${filter.officeId}`),
    );
    expect(items.map(({ title }) => title)).toEqual(['Broker', 'Broker', 'Broker']);
  });

  it('returns 200 to a dry run', async () => {
    const filter = await officeWith(1);
    const response = await server.request('POST', '/agents/bulk', {
      filter,
      change: { type: 'delete' },
      dryRun: true,
    });
    expect([response.status, response.headers.get('Location')]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({ count: 1, changed: 1, errors: [] });
  });

  it('returns 409 with the real number if it is another', async () => {
    const filter = await officeWith(2);
    const body = { filter, change: { type: 'deactivate' }, expectedCount: 20 };
    const response = await server.request('POST', '/agents/bulk', body);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'count_mismatch', actualCount: 2 });
  });

  it('starts one job for one Idempotency-Key', async () => {
    const filter = await officeWith(2);
    const body = { filter, change: { type: 'deactivate' }, expectedCount: 2 };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await bodyOf<Job>(await server.request('POST', '/agents/bulk', body, headers));
    await ended(first.id);
    const again = await server.request('POST', '/agents/bulk', body, headers);
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([202, 'true']);
    expect(await again.json()).toEqual(first);
  });

  it('counts as ten requests', async () => {
    await using limited = await startTestServer({ rateLimit: 100, rateLimitNowMs: () => 0 });
    const left = async (response: Response) =>
      Number(/r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]);
    const before = await left(await limited.request('GET', '/offices?limit=1'));
    const body = { filter: { mlsId: 'none' }, change: { type: 'delete' }, expectedCount: 0 };
    expect(before - (await left(await limited.request('POST', '/agents/bulk', body)))).toBe(10);
  });
});

describe('a job', () => {
  it('tells its events and reverts them', async () => {
    const filter = await officeWith(2);
    const body = { filter, change: { type: 'deactivate' }, expectedCount: 2, reason: 'Closing' };
    const job = await bodyOf<Job>(await server.request('POST', '/agents/bulk', body));
    await ended(job.id);
    const response = await server.request('PUT', `/jobs/${job.id}/undo`, { reason: 'Open again' });
    expect(response.status).toBe(200);
    const undo = await ended((await bodyOf<Job>(response)).id);
    expect(undo).toMatchObject({ status: 'completed', changed: 2, undoes: job.id, reason: 'Open again' });
    const isOf = ({ details }: { details: { bulkId?: string } | null }) =>
      details?.bulkId === job.id || details?.bulkId === undo.id;
    await expect
      .poll(async () => {
        const path = '/events?types=agent.deactivated&types=agent.reactivated&limit=200';
        const { items } = await bodyOf<
          Page<{ type: string; reason: string; details: { bulkId?: string } | null }>
        >(await server.request('GET', path));
        return items.filter(isOf).map(({ type, reason }) => `${type}: ${reason}`);
      })
      .toEqual([
        'agent.deactivated: Closing',
        'agent.deactivated: Closing',
        'agent.reactivated: Open again',
        'agent.reactivated: Open again',
      ]);
  });

  it('that still runs is not undone', async () => {
    // The workers of this server find no database, so that its jobs stay queued.
    const workersConnection = { ...server.database.connection, host: '127.0.0.1', port: 9 };
    await using idle = await startTestServer({ workersConnection });
    await idle.request('POST', '/agents', { firstName: 'Ana', lastName: 'Reis' });
    const body = { filter: { all: true }, change: { type: 'delete' }, expectedCount: 1 };
    const job = await bodyOf<Job>(await idle.request('POST', '/agents/bulk', body));
    const response = await idle.request('PUT', `/jobs/${job.id}/undo`);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'job_not_finished' });
    const cancelled = await bodyOf<Job>(await idle.request('PUT', `/jobs/${job.id}/cancel`));
    expect(cancelled).toMatchObject({ status: 'cancelled', processed: 0 });
  });
});
