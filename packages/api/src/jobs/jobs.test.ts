import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  acceptBulk,
  eventsOf,
  officeWith,
  runBatch,
  runJobs,
  splitBatches,
} from '../../test/support/jobs.ts';
import { rejected } from '../../test/support/rejected.ts';
import { useDatabase } from '../../test/support/use-database.ts';
import { purgeJobs } from './repository.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

describe('a job', () => {
  it('that undoes a job can be undone itself', async () => {
    const { ids, filter } = await officeWith(caller(), 2);
    const job = await acceptBulk(caller(), { filter, change: { type: 'delete' } });
    await runJobs(database().db);
    const undo = await caller().jobs.undo({ id: job.id });
    await runJobs(database().db);
    expect((await caller().agents.list({ ids })).items).toHaveLength(2);
    expect((await eventsOf(database().db, undo.id)).map(({ type }) => type)).toEqual([
      'agent.restored',
      'agent.restored',
    ]);
    const again = await caller().jobs.undo({ id: undo.id });
    await runJobs(database().db);
    expect(await caller().jobs.get({ id: again.id })).toMatchObject({ status: 'completed', changed: 2 });
    expect((await caller().agents.list({ ids })).items).toEqual([]);
  });

  it('tells of each record that it does not undo why', async () => {
    const { ids, filter } = await officeWith(caller(), 4);
    const [edited = '', deleted = '', gone = ''] = ids;
    const job = await acceptBulk(caller(), {
      filter,
      change: { type: 'update', patch: { title: 'Broker' } },
    });
    await runJobs(database().db);
    await caller().agents.update({ id: edited, title: 'Lead' });
    await caller().agents.delete({ id: deleted });
    await sql`delete from event where subject_id = ${gone}`.execute(database().db);
    const undo = await caller().jobs.undo({ id: job.id });
    await runJobs(database().db);
    const { errors, ...done } = await caller().jobs.get({ id: undo.id });
    expect(done).toMatchObject({ status: 'completed_with_errors', changed: 1, rejected: 3 });
    expect([...errors].sort((a, b) => a.detail.localeCompare(b.detail))).toEqual([
      {
        id: edited,
        code: 'version_conflict',
        detail: 'The agent was changed since: title is "Lead", not "Broker".',
        fields: [{ field: 'title', previous: null, set: 'Broker', current: 'Lead' }],
      },
      { id: deleted, code: 'not_found', detail: 'The agent was deleted since.', fields: [] },
      { id: gone, code: 'not_found', detail: 'The event of the change is no longer available.', fields: [] },
    ]);
  });

  it('ends as failed after an internal error, says which batch it was, and keeps what it has done', async () => {
    const { filter } = await officeWith(caller(), 2);
    const job = await acceptBulk(caller(), { filter, change: { type: 'deactivate' } });
    await splitBatches(database().db, job.id, 1);
    await runBatch(database().db);
    await sql`update job set change = '{"type": "unknown"}' where id = ${job.id}`.execute(database().db);
    expect((await caller().jobs.get({ id: job.id })).failure).toBe(null);
    await expect(runBatch(database().db)).rejects.toThrow(job.id);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({
      status: 'failed',
      failure: { code: 'internal', detail: expect.stringMatching(/^Batch 2 of 2 failed\./) },
      changed: 1,
      processed: 1,
    });
    expect(await runBatch(database().db)).toBe(false);
  });

  it('is deleted with its errors after the retention time, unless it runs', async () => {
    const { ids, filter } = await officeWith(caller(), 3);
    const old = await acceptBulk(caller(), { filter, change: { type: 'deactivate' } });
    await caller().agents.delete({ id: ids[0] ?? '' });
    await runJobs(database().db);
    const running = await acceptBulk(caller(), { filter, change: { type: 'reactivate' } });
    const day = 24 * 60 * 60 * 1_000;
    const purge = (days: number) =>
      purgeJobs(database().db, { now: new Date(Date.now() + days * day), retentionDays: 30 });
    await purge(29);
    expect((await caller().jobs.get({ id: old.id })).rejected).toBe(1);
    await purge(31);
    expect((await rejected(caller().jobs.get({ id: old.id }))).errorCode).toBe('not_found');
    expect(await caller().jobs.get({ id: running.id })).toMatchObject({ status: 'queued' });
    await runJobs(database().db);
  });
});
