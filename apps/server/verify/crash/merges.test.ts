import { setTimeout } from 'node:timers/promises';
import type { Job } from '@roster/api';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { bodyOf } from '../../test/support/fixtures.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/processes/service-process.ts';

/** Several batches, of which a server does some before it is killed. */
const PAIRS = 100;

/** Creates agents of whom each two are the same, and waits until all pairs are found. */
async function createPairs({ request }: ServiceProcess): Promise<void> {
  const records = Array.from({ length: 2 * PAIRS }, (_, n) => ({
    firstName: 'Ana',
    lastName: `R${n >> 1}`,
    mlsId: `LX${n >> 1}`,
    bio: String(n),
  }));
  for (let from = 0; from < records.length; from += 200) {
    const body = { records: records.slice(from, from + 200) };
    expect((await request('POST', '/imports/agents', body)).status).toBe(200);
  }
  const found = async () => {
    const answer = await request('GET', '/agents/duplicates?includeTotal=true&limit=1');
    return (await bodyOf<{ total: number }>(answer)).total;
  };
  while ((await found()) < PAIRS) await setTimeout(100);
}

it('a job of merges that loses its server to SIGKILL is finished by another one, and merges each pair once', async () => {
  await using database = await createTestDatabase();
  const start = () =>
    startServiceProcess({ databaseUrl: database.url, settings: { ROSTER_LOG_LEVEL: 'silent' } });
  const first = await start();
  await createPairs(first);
  const body = { filter: { minScore: 0.8 }, expectedCount: PAIRS };
  const { id } = await bodyOf<Job>(await first.request('POST', '/agents/duplicates/merge', body));
  const seen = async ({ request }: ServiceProcess) => bodyOf<Job>(await request('GET', `/jobs/${id}`));
  for (let job = await seen(first); job.processed === 0; job = await seen(first)) await setTimeout(5);
  await first.kill();
  await using second = await start();
  let job = await seen(second);
  for (; job.finishedAt === null; job = await seen(second)) await setTimeout(50);
  expect(job).toMatchObject({ status: 'completed', total: PAIRS, changed: PAIRS, rejected: 0 });
  const { rows } = await sql<{ merges: number; survivors: number; agents: number }>`
    select count(*)::int as merges, count(distinct subject_id)::int as survivors,
      (select count(*)::int from agent) as agents
    from event where details ->> 'bulkId' = ${id} and details ->> 'mergedFrom' is not null`.execute(
    database.db,
  );
  expect(rows).toEqual([{ merges: PAIRS, survivors: PAIRS, agents: PAIRS }]);
});
