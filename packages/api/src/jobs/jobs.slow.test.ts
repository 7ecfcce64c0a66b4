import { describe, expect, it } from 'vitest';
import {
  acceptBulk,
  lockedAfter,
  officeWith,
  runBatch,
  runJobs,
  splitBatches,
} from '../../test/support/jobs.ts';
import { rejected } from '../../test/support/rejected.ts';
import { useDatabase } from '../../test/support/use-database.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

describe('a job', () => {
  it('that is cancelled stops between batches and can be undone', async () => {
    const { ids, filter } = await officeWith(caller(), 4);
    const job = await acceptBulk(caller(), { filter, change: { type: 'deactivate' } });
    await splitBatches(database().db, job.id, 2);
    await runBatch(database().db);
    expect((await rejected(caller().jobs.undo({ id: job.id }))).errorCode).toBe('job_not_finished');
    expect(await caller().jobs.cancel({ id: job.id })).toMatchObject({ status: 'cancelled', processed: 2 });
    expect(await runBatch(database().db)).toBe(false);
    expect(await caller().jobs.cancel({ id: job.id })).toMatchObject({ status: 'cancelled', processed: 2 });
    const undo = await caller().jobs.undo({ id: job.id });
    expect(undo).toMatchObject({ status: 'queued', total: 2, undoes: job.id, change: null, filter: null });
    expect((await caller().jobs.undo({ id: job.id })).id).toBe(undo.id);
    await runJobs(database().db);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({ undoneBy: undo.id });
    const { items } = await caller().agents.list({ ids, status: ['active'] });
    expect(items).toHaveLength(4);
  });

  it('takes turns with others', async () => {
    const first = await officeWith(caller(), 4);
    const second = await officeWith(caller(), 4);
    const jobs = [
      await acceptBulk(caller(), { filter: first.filter, change: { type: 'deactivate' } }),
      await acceptBulk(caller(), { filter: second.filter, change: { type: 'deactivate' } }),
    ];
    for (const { id } of jobs) await splitBatches(database().db, id, 1);
    for (let n = 0; n < 4; n += 1) await runBatch(database().db);
    const processed = await Promise.all(
      jobs.map(async ({ id }) => (await caller().jobs.get({ id })).processed),
    );
    expect(processed).toEqual([2, 2]);
    await runJobs(database().db);
  });

  it('whose records are locked for too long does not keep the others waiting', async () => {
    const first = await officeWith(caller(), 1);
    const second = await officeWith(caller(), 1);
    const blocked = await acceptBulk(caller(), { filter: first.filter, change: { type: 'deactivate' } });
    const other = await acceptBulk(caller(), { filter: second.filter, change: { type: 'deactivate' } });
    await expect(runBatch(lockedAfter(database().db, 2))).rejects.toMatchObject({ code: '55P03' });
    expect(await caller().jobs.get({ id: blocked.id })).toMatchObject({ status: 'queued', processed: 0 });
    await runBatch(database().db);
    expect(await caller().jobs.get({ id: other.id })).toMatchObject({ status: 'completed' });
    await runBatch(database().db);
    expect(await caller().jobs.get({ id: blocked.id })).toMatchObject({ status: 'completed', changed: 1 });
  });
});
