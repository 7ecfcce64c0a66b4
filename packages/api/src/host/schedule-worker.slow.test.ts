import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { runDueChanges, startScheduledChangeWorker } from './run-due.ts';

const AGENTS = 4_000;

it('a worker that is closed during a deactivation with cascade rolls it back, and another makes it', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  let now = new Date();
  const caller = callerIn(db, { now: () => now });
  const { id } = await caller.offices.create({ name: 'Casa' });
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id)
    select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${id}
    from generate_series(1, ${AGENTS}::int) as n`.execute(db);
  const effectiveAt = new Date(now.getTime() + 3_600_000).toISOString();
  await caller.offices.deactivate({ id, cascade: true, effectiveAt });
  // Counts the changed agents, also of a transaction that is rolled back.
  await sql`create sequence changed_agents minvalue 0`.execute(db);
  await sql`
    create function count_agent() returns trigger language plpgsql as $$
    begin
      perform nextval('changed_agents');
      return null;
    end $$`.execute(db);
  await sql`create trigger counts after update on agent for each row execute function count_agent()`.execute(
    db,
  );
  const changedAgents = async () => {
    const { rows } = await sql<{
      count: number;
    }>`select last_value::int as count from changed_agents`.execute(db);
    return rows[0]?.count ?? 0;
  };
  now = new Date(effectiveAt);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const worker = startScheduledChangeWorker({
    db,
    now: () => now,
    onCommit: () => undefined,
    onFailure: onError,
    defaultCountry: undefined,
  });
  await expect.poll(changedAgents, { interval: 5 }).toBeGreaterThan(0);
  await worker.close();
  expect(await changedAgents()).toBeLessThan(AGENTS);
  expect(await caller.scheduledChanges.list({ subject: id })).toMatchObject({
    items: [{ status: 'pending' }],
  });
  expect((await caller.offices.get({ id, expand: 'counts' })).counts?.agents).toEqual({
    active: AGENTS,
    inactive: 0,
  });
  expect(await runDueChanges(db, { now: () => now, onError })).toBe(1);
  expect(await caller.scheduledChanges.list({ subject: id })).toMatchObject({
    items: [{ status: 'done' }],
  });
  expect(errors).toEqual([]);
});
