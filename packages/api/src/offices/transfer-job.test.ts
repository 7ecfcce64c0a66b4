import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { eventsOf, lostAfter, runBatch, runJobs } from '../../test/support/jobs.ts';
import { countAgents, countTransfers, fillOffice } from '../../test/support/transfers.ts';
import { useDatabase } from '../../test/support/use-database.ts';
import { runDueChanges } from '../host/run-due.ts';

const { database, caller } = useDatabase();

const newOffice = () => caller().offices.create({ name: 'Casa' });

/** More agents than one transaction moves, on their way to a different office. */
async function transferring(agents = 1_001) {
  const { db } = database();
  const [from, to] = [await newOffice(), await newOffice()];
  await fillOffice(db, from.id, agents);
  const result = await caller().offices.transferAgents({
    id: from.id,
    toOfficeId: to.id,
    reason: 'The office closes',
  });
  const { job } = result;
  if (job === undefined) throw new Error(`moved ${result.moved} agents without a job`);
  const counts = async () => [await countAgents(db, from.id), await countAgents(db, to.id)];
  return { db, from, to, job, result, counts };
}

describe('a transfer of more than 1,000 agents', () => {
  it('is a job, which the response has, and moves them 500 at a time with its progress, each with one event', async () => {
    const { db, from, to, job, result, counts } = await transferring();
    expect(result).toEqual({ ...from, moved: 0, job });
    expect(job).toMatchObject({
      resource: 'agents',
      status: 'queued',
      filter: { officeId: [from.id], affiliation: 'primary' },
      change: { type: 'transfer', officeId: to.id },
      reason: 'The office closes',
      total: 1_001,
      processed: 0,
    });
    expect(await counts()).toEqual([1_001, 0]);
    await runBatch(db);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({ status: 'running', processed: 500 });
    expect(await counts()).toEqual([501, 500]);
    await runJobs(db);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({ status: 'completed', changed: 1_001 });
    expect(await counts()).toEqual([0, 1_001]);
    expect(await countTransfers(db, to.id)).toEqual({ events: 1_001, agents: 1_001, transactions: 3 });
    const [event] = await eventsOf(db, job.id);
    expect(event).toMatchObject({ reason: 'The office closes', details: { fromOfficeId: from.id } });
  });

  it('continues where it was when a server is lost in a batch, and moves each agent once', async () => {
    const { db, to, job, counts } = await transferring();
    await runBatch(db);
    await expect(runBatch(lostAfter(db, 3))).rejects.toMatchObject({ code: '57P01' });
    expect(await counts()).toEqual([501, 500]);
    await runJobs(db);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({ status: 'completed', changed: 1_001 });
    expect(await countTransfers(db, to.id)).toMatchObject({ events: 1_001, agents: 1_001 });
  });

  it('is undone as a whole, or as far as it came', async () => {
    const { db, job, counts } = await transferring();
    await runBatch(db);
    await caller().jobs.cancel({ id: job.id });
    await caller().jobs.undo({ id: job.id });
    await runJobs(db);
    expect(await counts()).toEqual([1_001, 0]);
    const whole = await transferring();
    await runJobs(db);
    await caller().jobs.undo({ id: whole.job.id });
    await runJobs(db);
    expect(await whole.counts()).toEqual([1_001, 0]);
  });

  it('leaves agents who arrive after it was accepted where they are', async () => {
    const { db, from, counts } = await transferring();
    await caller().agents.create({ firstName: 'Eva', lastName: 'Sá', officeId: from.id });
    await runJobs(db);
    expect(await counts()).toEqual([1, 1_001]);
  });

  it('that was scheduled is a job in the name of who scheduled it, which an event of the office names', async () => {
    const { db } = database();
    let now = new Date();
    const scheduling = callerIn(db, { now: () => now });
    const [from, to] = [await newOffice(), await newOffice()];
    await fillOffice(db, from.id, 1_001);
    const effectiveAt = new Date(now.getTime() + 3_600_000).toISOString();
    const reason = 'The office closes';
    const { scheduledChanges } = await scheduling.offices.transferAgents({
      id: from.id,
      toOfficeId: to.id,
      effectiveAt,
      reason,
    });
    now = new Date(effectiveAt);
    expect(await runDueChanges(db, { now: () => now, onError: () => undefined })).toBe(1);
    const { scheduledBy, id } = scheduledChanges[0] ?? {};
    expect(await caller().scheduledChanges.get({ id: id ?? '' })).toMatchObject({ status: 'done' });
    const { rows } = await sql<{ job: string }>`
      select details ->> 'bulkId' as job from event
      where subject_id = ${from.id} and details ->> 'bulkId' is not null`.execute(db);
    const job = rows[0]?.job ?? '';
    expect(await caller().jobs.get({ id: job })).toMatchObject({
      status: 'queued',
      total: 1_001,
      change: { type: 'transfer', officeId: to.id },
      reason,
      createdBy: { id: scheduledBy },
    });
    await runJobs(db);
    expect(await caller().jobs.get({ id: job })).toMatchObject({ status: 'completed', changed: 1_001 });
    expect(await countAgents(db, to.id)).toBe(1_001);
  });

  it('rejects no change of these agents while it runs', async () => {
    const { db, from, to, job } = await transferring(3_000);
    const { items } = await caller().agents.list({ officeId: from.id, limit: 200 });
    let isOver = false;
    const running = runJobs(db).finally(() => {
      isOver = true;
    });
    let changes = 0;
    let slowest = 0;
    while (!isOver) {
      const { id = '' } = items[changes % items.length] ?? {};
      const began = performance.now();
      await caller().agents.update({ id, bio: `Change ${changes}` });
      slowest = Math.max(slowest, performance.now() - began);
      changes += 1;
    }
    await running;
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({ status: 'completed', changed: 3_000 });
    expect(await countAgents(db, to.id)).toBe(3_000);
    expect(changes).toBeGreaterThan(0);
    // Of the three seconds after which a change that waits is rejected.
    expect(slowest).toBeLessThan(3_000);
  });
});
