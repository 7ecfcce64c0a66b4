import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/schemas.ts';
import type { Job } from '../../src/jobs/schemas.ts';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { acceptBulk, lostAfter, runBatch, splitBatches } from '../../test/support/jobs.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const AGENTS = 7;
const BATCH = 2;
const index = fc.nat({ max: AGENTS - 1 });

/** What happens while a job runs. A crash loses the connection after so many statements of a batch. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'batch' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('crash' as const), after: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'two workers' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'deactivate' as const, 'delete' as const),
      at: index,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Every kind of change, with values that some records have already. `office` is replaced by the id of an active office. */
const changeKind = fc.constantFrom(
  'title',
  'names',
  'metadata',
  'email',
  'transfer',
  'deactivate',
  'reactivate',
  'delete',
);
type ChangeKind = typeof changeKind extends fc.Arbitrary<infer Value> ? Value : never;

const agent = fc.record({
  title: fc.constantFrom('Broker', 'Trainee', null),
  isInactive: fc.boolean(),
  isPlaced: fc.boolean(),
  displayName: fc.constantFrom('Shown', null),
  metadata: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { maxKeys: 2 }),
  address: fc.option(
    fc.record({ city: fc.constantFrom('Lisboa', 'Porto', null), line1: fc.constantFrom('1', null) }),
  ),
  licenses: fc.subarray([{ number: '1' }, { number: '2', region: '11' }]),
});

interface Run {
  name: string;
  change: Parameters<typeof acceptBulk>[1]['change'];
  ids: string[];
}

let runs = 0;
async function setUp(
  kind: ChangeKind,
  agents: (typeof agent extends fc.Arbitrary<infer V> ? V : never)[],
): Promise<Run> {
  runs += 1;
  const name = `Run ${runs}`;
  const [home, away] = await Promise.all([
    caller.offices.create({ name }),
    caller.offices.create({ name: `${name}, away` }),
  ]);
  const ids: string[] = [];
  for (const [n, { isInactive, isPlaced, ...fields }] of agents.entries()) {
    const { id } = await caller.agents.create({
      ...fields,
      firstName: `F${n}`,
      lastName: `L${n}`,
      officeId: isPlaced ? home.id : null,
      source: { name, key: String(n) },
    });
    if (isInactive) await caller.agents.deactivate({ id, reason: `Because of ${n}` });
    ids.push(id);
  }
  const changes: Record<ChangeKind, Run['change']> = {
    title: { type: 'update', patch: { title: 'Broker', address: { city: 'Porto' } } },
    names: {
      type: 'update',
      patch: { lastName: 'Silva', languages: ['pt'], licenses: [{ number: '3' }], address: null },
    },
    metadata: { type: 'update', patch: { metadata: { a: '1', c: '3' } } },
    // The address of one agent alone: of the others it is an error.
    email: { type: 'update', patch: { email: `all@${runs}.example` } },
    transfer: { type: 'transfer', officeId: away.id },
    deactivate: { type: 'deactivate' },
    reactivate: { type: 'reactivate' },
    delete: { type: 'delete' },
  };
  return { name, change: changes[kind], ids };
}

const stateOf = async (ids: string[]) => {
  const { items } = await caller.agents.list({ ids, limit: 200 });
  return new Map(items.map((item) => [item.id, item]));
};

/** What an undo brings back: all but what counts and dates changes. */
function undone({
  version: _,
  updatedAt: __,
  statusChangedAt: ___,
  transferredAt: ____,
  ...rest
}: Agent): object {
  return rest;
}

/** Takes the steps while a job runs, and then runs it to its end. Returns the state of each record before the job changed it. */
async function follow(job: Job, { ids }: Run, steps: Step[]): Promise<Map<string, Agent>> {
  const before = new Map<string, Agent>();
  const { db } = database;
  const running = async (act: () => Promise<unknown>) => {
    const state = await stateOf(ids);
    const seen = new Set((await eventsOf(job)).map(({ subject }) => subject));
    await act();
    for (const { subject } of await eventsOf(job)) {
      const known = state.get(subject);
      if (!seen.has(subject) && known !== undefined) before.set(subject, known);
    }
  };
  const ignoringErrors = (call: Promise<unknown>) => call.catch(() => undefined);
  for (const one of steps) {
    const id = 'at' in one ? (ids[one.at] ?? '') : '';
    if (one.kind === 'batch') await running(() => runBatch(db));
    if (one.kind === 'crash') await running(() => ignoringErrors(runBatch(lostAfter(db, one.after))));
    if (one.kind === 'two workers') await running(() => Promise.all([runBatch(db), runBatch(db)]));
    if (one.kind === 'edit') await ignoringErrors(caller.agents.update({ id, bio: crypto.randomUUID() }));
    if (one.kind === 'deactivate') await ignoringErrors(caller.agents.deactivate({ id }));
    if (one.kind === 'delete') await ignoringErrors(caller.agents.delete({ id }));
    if (one.kind === 'cancel') await caller.jobs.cancel({ id: job.id });
  }
  await running(async () => {
    while (await runBatch(db));
  });
  return before;
}

interface EventOfJob {
  subject: string;
  version: number;
}

async function eventsOf({ id }: Pick<Job, 'id'>): Promise<EventOfJob[]> {
  const { rows } = await sql<EventOfJob>`
    select subject_id as subject, version from event where details ->> 'bulkId' = ${id} order by id`.execute(
    database.db,
  );
  return rows;
}

async function changedBy({ id }: Job): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select unnest(changed) as id from job_batch where job_id = ${id}`.execute(database.db);
  return rows.map((row) => row.id);
}

/** Expects that each record of a job was changed once at most, and is counted where it belongs. */
async function expectExactlyOnce(accepted: Job): Promise<Job> {
  const job = await caller.jobs.get({ id: accepted.id });
  const subjects = (await eventsOf(job)).map(({ subject }) => subject);
  expect(new Set(subjects).size).toBe(subjects.length);
  expect((await changedBy(job)).sort()).toEqual([...subjects].sort());
  expect(job.changed).toBe(subjects.length);
  expect(job.processed).toBe(job.changed + job.unchanged + job.rejected);
  const { items } = await caller.jobs.errors({ id: job.id });
  expect(items.length).toBe(job.rejected);
  for (const { id } of items) expect(subjects).not.toContain(id);
  if (job.status === 'cancelled') expect(job.processed).toBeLessThanOrEqual(job.total);
  else expect(job.processed).toBe(job.total);
  expect(['completed', 'completed_with_errors', 'cancelled']).toContain(job.status);
  if (job.status !== 'cancelled') expect(job.status === 'completed').toBe(job.rejected === 0);
  return job;
}

const lastVersions = async (ids: string[]) => {
  const { rows } = await sql<{ id: string; version: number; isDeleted: boolean }>`
    select id, version, false as "isDeleted" from agent where id = any(${ids}::uuid[])
    union all
    select id, (record ->> 'version')::int, true from tombstone where id = any(${ids}::uuid[])`.execute(
    database.db,
  );
  return new Map(rows.map(({ id, ...last }) => [id, last]));
};

const scenario = fc.record({
  kind: changeKind,
  agents: fc.array(agent, { minLength: AGENTS, maxLength: AGENTS }),
  steps: fc.array(step, { maxLength: 12 }),
  between: fc.array(index, { maxLength: 3 }),
  undoSteps: fc.array(step, { maxLength: 10 }),
});

it('changes and undoes each record exactly once, whatever crashes, edits and cancellations come between', async () => {
  const property = fc.asyncProperty(scenario, async ({ kind, agents, steps, between, undoSteps }) => {
    const run = await setUp(kind, agents);
    const { change, name } = run;
    const accepted = await acceptBulk(caller, { filter: { sourceName: [name] }, change });
    expect(accepted.total).toBe(AGENTS);
    await splitBatches(database.db, accepted.id, BATCH);
    const before = await follow(accepted, run, steps);
    const job = await expectExactlyOnce(accepted);

    for (const at of between)
      await caller.agents.update({ id: run.ids[at] ?? '', bio: crypto.randomUUID() }).catch(() => undefined);
    const undo = await caller.jobs.undo({ id: job.id, reason: 'Wrong' });
    expect(undo.total).toBe(job.changed);
    await splitBatches(database.db, undo.id, BATCH);
    const changedTo = new Map((await eventsOf(job)).map(({ subject, version }) => [subject, version]));
    await follow(
      undo,
      run,
      undoSteps.filter((one) => one.kind !== 'delete' && one.kind !== 'edit' && one.kind !== 'deactivate'),
    );
    const after = await expectExactlyOnce(undo);

    const state = await stateOf(run.ids);
    const last = await lastVersions(run.ids);
    const reverted = new Set((await eventsOf(undo)).map(({ subject }) => subject));
    for (const [id, version] of changedTo) {
      const record = state.get(id);
      const was = before.get(id);
      if (reverted.has(id)) {
        expect(record && was && undone(record)).toEqual(was && undone(was));
      } else if (after.status !== 'cancelled') {
        // Somebody has changed it since.
        expect(last.get(id)?.version === version && last.get(id)?.isDeleted === (kind === 'delete')).toBe(
          false,
        );
      }
    }
  });
  await fc.assert(property, { numRuns: 25 });
});
