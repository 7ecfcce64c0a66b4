import { connect, type Database } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { crashAfter, hasCrashed, installCrashPoints } from '../../test/support/crash-points.ts';
import { runDueChanges } from '../host/run-due.ts';
import { assignPositions } from '../log/sequencer.ts';

const HOUR_MS = 3_600_000;
let now = new Date('2026-01-31T08:00:00.000Z');
const pass = () => {
  now = new Date(now.getTime() + HOUR_MS);
};
const runOn = (db: Kysely<Database>) => runDueChanges(db, { now: () => now, onError: () => undefined });

it('happens once on several servers, and if one of them dies between any two steps', async () => {
  await using crashing = await createTestDatabase();
  const { db, connection } = crashing;
  await installCrashPoints(db);
  const caller = callerIn(db, { now: () => now });
  const office = await caller.offices.create({ name: 'Casa' });
  let steps = 0;
  for (let isOver = false; !isOver; ) {
    steps += 1;
    const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
    await caller.agents.transfer({
      id,
      officeId: office.id,
      effectiveAt: new Date(now.getTime() + HOUR_MS).toISOString(),
    });
    pass();
    const servers = [connect({ connection }), connect({ connection })];
    try {
      await crashAfter(db, steps);
      await Promise.all(servers.map((server) => runOn(server).catch(() => 0)));
      isOver = !(await hasCrashed(db));
      await crashAfter(db, 0);
      // A change whose transaction was cut off is put off, as after any failure of the database.
      pass();
      await Promise.all(servers.map((server) => runOn(server).catch(() => 0)));
      while ((await runOn(db)) > 0);
    } finally {
      await Promise.all(servers.map((server) => server.destroy()));
    }
    await assignPositions(db);
    const { items } = await caller.events.list({ subject: id });
    expect(
      items.map(({ type }) => type),
      `a crash at step ${steps}`,
    ).toEqual([...['agent.created', 'agent.updated', 'agent.transferred']]);
    expect(await caller.agents.get({ id })).toMatchObject({
      officeId: office.id,
      version: 3,
      scheduledChanges: [],
    });
    expect(await caller.scheduledChanges.list({ subject: id })).toMatchObject({
      items: [{ status: 'done' }],
    });
  }
  expect(steps).toBeGreaterThan(8);
});
