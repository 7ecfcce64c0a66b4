import { isDeepStrictEqual } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { acceptBulk, lostAfter, runBatch, splitBatches } from '../../test/support/jobs.ts';
import type { Agent } from '../directory/agents/schemas.ts';
import type { Job } from './schemas.ts';

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

/** A record as an undo leaves it: with the values before the job in the fields, and the parts of fields, that still have those of it. */
function withUndone(was: Agent, set: Agent, current: Agent): Agent {
  const statusFields = ['status', 'statusReason', 'deactivatedAt'];
  const partsOf = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  const restored = <Value>(before: Value, after: Value, now: Value): Value =>
    isDeepStrictEqual(now, after) ? before : now;
  const isStatusKept = statusFields.every((name) =>
    isDeepStrictEqual(current[name as 'status'], set[name as 'status']),
  );
  const entries = Object.entries(current).map(([name, now]) => {
    const [before, after] = [was[name as keyof Agent], set[name as keyof Agent]];
    if (statusFields.includes(name)) return [name, isStatusKept ? before : now];
    const parts = [before, after, now].map((value) => Object.fromEntries(partsOf(value) ?? []));
    const [ofBefore = {}, ofAfter = {}, ofNow = {}] = parts;
    const isWhole = name === 'address' ? before === null || after === null : name !== 'metadata';
    if (isWhole) return [name, isDeepStrictEqual(before, after) ? now : restored(before, after, now)];
    const names = [...new Set(parts.flatMap((one) => Object.keys(one)))];
    const merged = names
      .map((part) => [part, restored(ofBefore[part], ofAfter[part], ofNow[part])] as const)
      .filter(([, value]) => value !== undefined);
    const isEmpty = merged.every(([, value]) => value === null);
    return [name, name === 'address' && isEmpty ? null : Object.fromEntries(merged)];
  });
  const expected: Agent = Object.fromEntries(entries);
  const nameOf = ({ firstName, lastName }: Agent) => `${firstName} ${lastName}`;
  const follows = [was, current].every((one) => one.displayName === nameOf(one));
  return follows ? { ...expected, displayName: nameOf(expected) } : expected;
}

interface EventOfJob {
  subject: string;
  version: number;
  record: Agent;
}

async function eventsOf({ id }: Pick<Job, 'id'>): Promise<EventOfJob[]> {
  const { rows } = await sql<EventOfJob>`
    select subject_id as subject, version, record from event where details ->> 'bulkId' = ${id} order by id`.execute(
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
  expect(items.length).toBe(job.rejected + job.partlyChanged);
  expect(items.filter(({ id }) => subjects.includes(id)).length).toBe(job.partlyChanged);
  if (job.status === 'cancelled') expect(job.processed).toBeLessThanOrEqual(job.total);
  else expect(job.processed).toBe(job.total);
  expect(['completed', 'completed_with_errors', 'cancelled']).toContain(job.status);
  if (job.status !== 'cancelled')
    expect(job.status === 'completed').toBe(job.rejected + job.partlyChanged === 0);
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

/** Edits of fields that no job sets, and of such that some set. */
const edits = [
  { bio: 'Edited' },
  { title: 'Director' },
  { address: { city: 'Faro' } },
  { address: { line1: '2' } },
  { metadata: { a: '9' } },
  { metadata: { b: '9' } },
  { firstName: 'Edited' },
  { languages: ['es'] },
];

const scenario = fc.record({
  kind: changeKind,
  agents: fc.array(agent, { minLength: AGENTS, maxLength: AGENTS }),
  steps: fc.array(step, { maxLength: 12 }),
  between: fc.array(fc.record({ at: index, edit: fc.nat({ max: edits.length - 1 }) }), { maxLength: 3 }),
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

    for (const { at, edit } of between)
      await caller.agents.update({ id: run.ids[at] ?? '', ...edits[edit] }).catch(() => undefined);
    const undo = await caller.jobs.undo({ id: job.id, reason: 'Wrong' });
    expect(undo.total).toBe(job.changed);
    await splitBatches(database.db, undo.id, BATCH);
    const changes = new Map((await eventsOf(job)).map((event) => [event.subject, event]));
    const atUndo = await stateOf(run.ids);
    await follow(
      undo,
      run,
      undoSteps.filter((one) => one.kind !== 'delete' && one.kind !== 'edit' && one.kind !== 'deactivate'),
    );
    const after = await expectExactlyOnce(undo);

    const state = await stateOf(run.ids);
    const last = await lastVersions(run.ids);
    const reverted = new Set((await eventsOf(undo)).map(({ subject }) => subject));
    const kept = new Set((await caller.jobs.errors({ id: undo.id })).items.map(({ id }) => id));
    for (const [id, { version, record: set }] of changes) {
      const [record, was, current] = [state.get(id), before.get(id), atUndo.get(id)];
      if (reverted.has(id)) {
        // Of a deleted record nothing has changed since.
        const expected = was && withUndone(was, kind === 'delete' ? was : set, current ?? was);
        expect(record && undone(record)).toEqual(expected && undone(expected));
      } else if (after.status !== 'cancelled') {
        // Somebody has changed it since.
        expect(last.get(id)?.version === version && last.get(id)?.isDeleted === (kind === 'delete')).toBe(
          false,
        );
        expect(kept.has(id) || after.unchanged > 0).toBe(true);
      }
    }
  });
  await fc.assert(property, { numRuns: 25 });
});
