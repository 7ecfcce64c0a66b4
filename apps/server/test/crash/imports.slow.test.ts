import { setTimeout } from 'node:timers/promises';
import type { Import } from '@roster/api';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ended, upload } from '../support/file-imports.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

/** Several batches, of which a server does some before it is killed. */
const ROWS = 3_000;

it('an import that loses its servers to SIGKILL, in its check and while it writes, is finished by others and writes each row once', async () => {
  await using database = await createTestDatabase();
  const start = () =>
    startServiceProcess({ databaseUrl: database.url, settings: { ROSTER_LOG_LEVEL: 'silent' } });
  await using survivors = new AsyncDisposableStack();
  let running = await start();
  const rows = Array.from({ length: ROWS }, (_, n) => `Ana,R${n}`);
  const path = '/imports/agents/file?mode=write';
  const { id } = await bodyOf<Import>(await upload(running, `First,Last\n${rows.join('\n')}\n`, { path }));
  for (const step of ['check', 'write'] as const) {
    const isIn = async () => {
      const seen = await bodyOf<Import>(await running.request('GET', `/imports/${id}`));
      return seen.finishedAt !== null || (seen.step === step && seen.processed > 0);
    };
    while (!(await isIn())) await setTimeout(5);
    await running.kill();
    running = await start();
  }
  survivors.use(running);
  const imported = await ended(running, `/imports/${id}`);
  expect(imported).toMatchObject({ status: 'completed', step: 'write', total: ROWS, created: ROWS });
  const { rows: counts } = await sql<{ events: number; agents: number; changed: number }>`
    select (select count(*)::int from event where details ->> 'bulkId' = ${id}) as events,
      (select count(*)::int from agent) as agents,
      (select sum(cardinality(changed))::int from job_batch where job_id = ${id}) as changed`.execute(
    database.db,
  );
  expect(counts).toEqual([{ events: ROWS, agents: ROWS, changed: ROWS }]);
});
