import { setTimeout } from 'node:timers/promises';
import type { Job } from '@roster/api';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { bodyOf } from '../support/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

/** Several batches, of which a server does some before it is killed. */
const AGENTS = 6_000;
const AGENTS_AT_ONCE = 500;
const KILLS = 2;

async function createAgents({ request }: ServiceProcess): Promise<void> {
  for (let from = 0; from < AGENTS; from += AGENTS_AT_ONCE) {
    const records = Array.from({ length: AGENTS_AT_ONCE }, (_, n) => ({
      firstName: 'Ana',
      lastName: `R${from + n}`,
    }));
    expect((await request('POST', '/imports/agents', { records })).status).toBe(200);
  }
}

it('a job that loses its servers to SIGKILL is finished by others, and changes each record once', async () => {
  await using database = await createTestDatabase();
  const start = () =>
    startServiceProcess({ databaseUrl: database.url, settings: { ROSTER_LOG_LEVEL: 'silent' } });
  await using survivors = new AsyncDisposableStack();
  let running = await start();
  await createAgents(running);
  const body = {
    filter: { all: true },
    change: { type: 'update', patch: { title: 'Broker' } },
    expectedCount: AGENTS,
  };
  const { id } = await bodyOf<Job>(await running.request('POST', '/agents/bulk', body));
  const seen = async () => bodyOf<Job>(await running.request('GET', `/jobs/${id}`));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = (await seen()).processed;
    for (let job = await seen(); job.processed <= before && job.finishedAt === null; job = await seen())
      await setTimeout(5);
    await running.kill();
    running = await start();
  }
  survivors.use(running);
  survivors.use(await start());
  let job = await seen();
  for (; job.finishedAt === null; job = await seen()) await setTimeout(50);
  expect(job).toMatchObject({ status: 'completed', total: AGENTS, changed: AGENTS, rejected: 0 });
  const { rows } = await sql<{ events: number; subjects: number }>`
    select count(*)::int as events, count(distinct subject_id)::int as subjects
    from event where details ->> 'bulkId' = ${id}`.execute(database.db);
  expect(rows).toEqual([{ events: AGENTS, subjects: AGENTS }]);
});
