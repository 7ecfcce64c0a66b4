import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { TRPCError } from '@trpc/server';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { crashAfter, installCrashPoints } from '../../test/support/crash-points.ts';
import { runDueChanges } from '../host/run-due.ts';
import type { RecordEvent } from '../log/schemas.ts';
import { assignPositions } from '../log/sequencer.ts';
import type { ScheduledChange } from './schemas.ts';

/**
 * Random schedules on a virtual clock: agents of two offices are changed now and later, changes are cancelled, records are
 * deleted, offices become inactive, time passes, and up to three servers make what is due, of which one dies at a random
 * step.
 */

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let servers: Kysely<Database>[];
let caller: Caller;
let now = new Date('2026-01-31T08:00:00.000Z');

beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  await installCrashPoints(database.db);
  const { connection } = database;
  servers = [1, 2, 3].map(() => connect({ connection, pool: { max: 2 } }));
  caller = callerIn(database.db, { now: () => now });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.destroy()));
  await database[Symbol.asyncDispose]();
});

const pass = (hours: number) => {
  now = new Date(now.getTime() + hours * HOUR_MS);
};
const runOn = (server: Kysely<Database>) =>
  runDueChanges(server, { now: () => now, onError: () => undefined }).catch(() => 0);

const index = fc.nat({ max: 1 });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      change: fc.constantFrom('deactivate' as const, 'reactivate' as const, 'transfer' as const),
      agent: index,
      office: index,
      hours: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      change: fc.constantFrom('deactivate' as const, 'reactivate' as const, 'transfer' as const),
      agent: index,
      office: index,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), agent: index, which: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('office' as const), office: index, isActive: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), agent: index }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      servers: fc.integer({ min: 1, max: 3 }),
      crashAfter: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 25 })),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

interface Directory {
  offices: string[];
  agents: string[];
}

async function newDirectory(): Promise<Directory> {
  const offices = [await caller.offices.create({ name: 'A' }), await caller.offices.create({ name: 'B' })];
  const names = { firstName: 'Ana', lastName: 'Reis' };
  const agents = [await caller.agents.create(names), await caller.agents.create(names)];
  return { offices: offices.map(({ id }) => id), agents: agents.map(({ id }) => id) };
}

async function changeAgent(
  { agents, offices }: Directory,
  change: { change: 'deactivate' | 'reactivate' | 'transfer'; agent: number; office: number; hours?: number },
): Promise<unknown> {
  const id = agents[change.agent] ?? '';
  const at = change.hours === undefined ? undefined : new Date(now.getTime() + change.hours * HOUR_MS);
  const input = { id, ...(at && { effectiveAt: at.toISOString() }) };
  if (change.change === 'deactivate') return caller.agents.deactivate(input);
  if (change.change === 'reactivate') return caller.agents.reactivate(input);
  return caller.agents.transfer({ ...input, officeId: offices[change.office] ?? '' });
}

async function perform(directory: Directory, command: Command): Promise<unknown> {
  const { agents, offices } = directory;
  switch (command.do) {
    case 'schedule':
    case 'change':
      return changeAgent(directory, command);
    case 'cancel': {
      const { items } = await caller.scheduledChanges.list({ subject: agents[command.agent] });
      const { id } = items[command.which] ?? { id: agents[0] ?? '' };
      return caller.scheduledChanges.cancel({ id });
    }
    case 'office': {
      const id = offices[command.office] ?? '';
      return command.isActive ? caller.offices.reactivate({ id }) : caller.offices.deactivate({ id });
    }
    case 'delete':
      return caller.agents.delete({ id: agents[command.agent] ?? '' });
    case 'pass':
      return pass(command.hours);
    case 'run': {
      await crashAfter(database.db, command.crashAfter);
      await Promise.all(servers.slice(0, command.servers).map(runOn));
      return crashAfter(database.db, 0);
    }
  }
}

/** What a caller may be told; anything else is a fault. */
async function performed(directory: Directory, command: Command): Promise<void> {
  await perform(directory, command).catch((error: unknown) => {
    if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') throw error;
  });
}

const changesOf = async (subject: string): Promise<ScheduledChange[]> =>
  (await caller.scheduledChanges.list({ subject, limit: 200 })).items;

/** A record shows exactly its pending changes. */
async function expectShown({ agents }: Directory): Promise<void> {
  for (const id of agents) {
    const agent = await caller.agents.get({ id }).catch(() => undefined);
    const pending = (await changesOf(id)).filter(({ status }) => status === 'pending');
    expect(agent?.scheduledChanges.map((change) => change.id) ?? []).toEqual(
      pending.map((change) => change.id),
    );
  }
}

const didRun = ({ details }: RecordEvent<'agents'>) => details?.scheduledBy !== undefined;

/** Each change ended once, as its events say, and those of a record in the order of their times. */
async function expectOnce({ agents }: Directory): Promise<void> {
  await assignPositions(database.db);
  for (const id of agents) {
    const changes = await changesOf(id);
    const events = (await caller.events.list({ subject: id, limit: 200 })).items as RecordEvent<'agents'>[];
    const runs = events.filter(didRun);
    const made = changes.filter(({ status }) => status === 'done' || status === 'failed');
    expect(changes.filter(({ status }) => status === 'pending')).toEqual([]);
    // In the order of their times, which is that of the list.
    expect(runs.map(({ details }) => details?.scheduledChangeId)).toEqual(made.map((change) => change.id));
    for (const [place, { type, occurredAt, details }] of runs.entries()) {
      const change = made[place];
      expect(type === 'agent.change_failed').toBe(change?.status === 'failed');
      expect(details?.errorCode ?? null).toBe(change?.errorCode);
      expect(Date.parse(occurredAt)).toBeGreaterThanOrEqual(Date.parse(change?.effectiveAt ?? ''));
    }
    const alive = events.filter(({ type }) => type !== 'agent.deleted');
    expect(alive.map(({ version }) => version)).toEqual(alive.map((_, place) => place + 1));
  }
}

it('every schedule: each change happens once, in order, or fails visibly, and a record shows what is pending', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
      const directory = await newDirectory();
      for (const one of commands) {
        await performed(directory, one);
        await expectShown(directory);
      }
      // What was put off after a crash is due again within the hours.
      for (let round = 0; round < 12; round += 1) {
        pass(1);
        while ((await runOn(database.db)) > 0);
      }
      await expectShown(directory);
      await expectOnce(directory);
    }),
    { numRuns: 25 },
  );
});
