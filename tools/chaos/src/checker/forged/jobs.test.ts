import { expect, it } from 'vitest';
import type { Evidence, JobSeen } from '../evidence.ts';
import { eventOf, found, goodRun, stateOf } from './forged.ts';

const ONCE = 'a job changes each of its records once, and ends';

/** A good run in which a job has changed a record, too. */
function withJob(job: Partial<JobSeen> = {}, events = 1): Evidence {
  const run = goodRun();
  const made = Array.from({ length: events }, (_, n) => ({
    ...eventOf({ position: 0, verb: 'updated', subject: 'b', version: 2 + n, requestId: 'job' }),
    bulkId: 'job',
  }));
  const counts = { total: 1, changed: 1, unchanged: 0, rejected: 0 };
  const { tables } = run;
  return {
    ...run,
    log: [...run.log, ...made],
    jobs: [{ id: 'job', status: 'completed', ...counts, ...job }],
    tables: { ...tables, agents: [stateOf('b', 1 + events)] },
  };
}

it('takes the events of a job for its own', () => {
  expect(found(withJob())['no write happens twice, no rejected one at all']).toBeUndefined();
  expect(found(withJob())[ONCE]).toBeUndefined();
});

it.each<[string, Evidence, string]>([
  ['that changed a record twice', withJob({ changed: 2, total: 2 }, 2), 'twice'],
  ['that counts a change which is not in the log', withJob({ changed: 2, total: 2 }), 'counts 2'],
  ['that left records out', withJob({ total: 3 }), '1 of 3'],
  ['that does not end', withJob({ status: 'running' }), 'does not end'],
  ['that has failed', withJob({ status: 'failed' }), 'failed'],
  ['that nobody knows', { ...withJob(), jobs: [] }, 'never accepted'],
])('finds a job %s', (_, run, what) => {
  expect(found(run)[ONCE]).toEqual([expect.stringContaining(what)]);
});
