import type { Database } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import type { Kysely } from 'kysely';
import { runDueChanges } from '../../src/host/run-due.ts';
import type { RecordEvent } from '../../src/log/schemas.ts';
import { assignPositions } from '../../src/log/sequencer.ts';
import { callerIn } from './caller.ts';

const HOUR_MS = 3_600_000;

/** A database with a clock that only the test moves, and no worker: the test makes what is due. */
export async function scheduleScene() {
  const database = await createTestDatabase({ requiresEvents: true });
  let now = new Date('2026-01-31T08:00:00.000Z');
  const caller = callerIn(database.db, { now: () => now });
  /** What was reported of attempts that failed. */
  const errors: unknown[] = [];
  const run = (db: Kysely<Database> = database.db) =>
    runDueChanges(db, { now: () => now, onError: (error) => errors.push(error) });
  return {
    database,
    caller,
    errors,
    run,
    now: () => now.toISOString(),
    /** A time so many hours from now. */
    inHours: (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString(),
    /** Lets so many hours pass. */
    later: (hours: number) => {
      now = new Date(now.getTime() + hours * HOUR_MS);
    },
    /** Runs until nothing is due. */
    runAll: async () => {
      while ((await run()) > 0);
    },
    newOffice: () => caller.offices.create({ name: 'Casa' }),
    newAgent: (officeId: string | null = null) =>
      caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId }),
    eventsOf: async (subject: string) => {
      await assignPositions(database.db);
      const { items } = await caller.events.list({ subject, limit: 200 });
      return items as RecordEvent[];
    },
    listed: async (subject: string) => (await caller.scheduledChanges.list({ subject })).items,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
