import type { Database } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { agents } from '../directory/agents/definition.ts';
import { offices } from '../directory/offices/definition.ts';
import { purgeTombstones } from '../host/maintenance.ts';
import { assignPositions } from './sequencer.ts';
import { compactEvents, eraseEvents } from './upkeep.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

async function scene() {
  const database = await createTestDatabase({ requiresEvents: true });
  let now = Date.parse('2026-01-31T08:00:00.000Z');
  return {
    db: database.db,
    caller: callerIn(database.db, { now: () => new Date(now) }),
    passDays(days: number) {
      now += days * DAY_MS;
    },
    now: () => new Date(now),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

interface LoggedEvent {
  position: string;
  type: string;
  subject_id: string;
  occurred_at: Date;
}

async function eventsIn(db: Kysely<Database>): Promise<LoggedEvent[]> {
  return db
    .selectFrom('event')
    .select(['position', 'type', 'subject_id', 'occurred_at'])
    .orderBy('id')
    .execute() as Promise<LoggedEvent[]>;
}

/** What the log has to keep: of a purged record its last event, of the others the newest and all that followed it after `oldest`. */
function keptOf(events: LoggedEvent[], oldest: Date): string[] {
  const purged = new Set(
    events.filter(({ type }) => type.endsWith('.purged')).map(({ subject_id }) => subject_id),
  );
  return events
    .filter(({ type, subject_id, position }) => {
      if (purged.has(subject_id)) return type.endsWith('.purged');
      const next = events.find(
        (one) => one.subject_id === subject_id && Number(one.position) > Number(position),
      );
      return next === undefined || next.occurred_at >= oldest;
    })
    .map(({ position }) => position);
}

/** A database whose connection is lost before the statement with that number, as if the server had died there. */
function dyingBefore(db: Kysely<Database>, statement: number): Kysely<Database> {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      if (count === statement) throw new Error('the server dies here');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin);
}

/** Changes, deletions and purges of ten offices, over some 300 days. */
async function fill({ caller, db, passDays, now }: Scene, choices: number[]): Promise<void> {
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1)
    ids.push((await caller.offices.create({ name: `${index}` })).id);
  for (const [index, choice] of choices.entries()) {
    passDays(10);
    const id = ids[choice % ids.length] ?? '';
    if (choice > 40 && ids.length > 1) {
      await caller.offices.delete({ id });
      ids.splice(ids.indexOf(id), 1);
    } else await caller.offices.update({ id, phoneExt: `${index}` });
  }
  await purgeTombstones(db, [offices, agents], { now: now(), retentionDays: 30 });
  await assignPositions(db);
}

const choices = fc.array(fc.integer({ min: 0, max: 44 }), { minLength: 30, maxLength: 30 });
const historyDays = 100;

describe('the end of the history', () => {
  it('loses no event that is kept and leaves none that is not, if servers die before any statement', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (given) => {
        await using own = await scene();
        const { db, now } = own;
        await fill(own, given);
        const expected = keptOf(await eventsIn(db), new Date(now().getTime() - historyDays * DAY_MS));
        const retention = { now: now(), retentionDays: historyDays };
        let deaths = 0;
        for (const job of [eraseEvents, (one: Kysely<Database>) => compactEvents(one, retention)]) {
          for (let statement = 1; ; statement += 1) {
            const died = await job(dyingBefore(db, statement)).then(
              () => false,
              () => true,
            );
            const left = new Set((await eventsIn(db)).map(({ position }) => position));
            expect(expected.filter((position) => !left.has(position))).toEqual([]);
            if (!died) break;
            deaths += 1;
          }
        }
        expect(deaths).toBeGreaterThan(5);
        expect((await eventsIn(db)).map(({ position }) => position)).toEqual(expected);
      }),
      { numRuns: 4 },
    );
  });

  it('is the same whatever number of servers work on it', async () => {
    await using own = await scene();
    const { db, now } = own;
    await fill(
      own,
      Array.from({ length: 30 }, (_, index) => (index * 7) % 45),
    );
    const expected = keptOf(await eventsIn(db), new Date(now().getTime() - historyDays * DAY_MS));
    const retention = { now: now(), retentionDays: historyDays };
    await Promise.all([1, 2, 3].flatMap(() => [eraseEvents(db), compactEvents(db, retention)]));
    expect((await eventsIn(db)).map(({ position }) => position)).toEqual(expected);
  });

  it('leaves a log that can be read from its start to every record that there is', async () => {
    await using own = await scene();
    const { db, caller, now } = own;
    await fill(
      own,
      Array.from({ length: 30 }, (_, index) => (index * 11) % 45),
    );
    await eraseEvents(db);
    await compactEvents(db, { now: now(), retentionDays: historyDays });
    const copy = new Map<string, unknown>();
    for (let after = '0', hasMore = true; hasMore; ) {
      const page = await caller.events.list({ after, limit: 3 });
      for (const { type, subject, record } of page.items) {
        if (/(deleted|purged)$/.test(type)) copy.delete(subject);
        else copy.set(subject, record);
      }
      ({ nextAfter: after, hasMore } = page);
    }
    const { items } = await caller.offices.list({ limit: 200 });
    expect(copy).toEqual(new Map(items.map((office) => [office.id, office])));
  });

  it('names every record that has changed since any position, to a reader who goes on from it with ~', async () => {
    await using own = await scene();
    const { db, caller, now } = own;
    await fill(
      own,
      Array.from({ length: 30 }, (_, index) => (index * 13) % 45),
    );
    const all = await eventsIn(db);
    await eraseEvents(db);
    await compactEvents(db, { now: now(), retentionDays: historyDays });
    expect((await eventsIn(db)).length).toBeLessThan(all.length);
    for (const { position } of all) {
      const later = all.filter((event) => Number(event.position) > Number(position));
      const { items } = await caller.events.list({ after: `${position}~`, limit: 200 });
      expect(new Set(items.map(({ subject }) => subject))).toEqual(
        new Set(later.map((event) => event.subject_id)),
      );
    }
  });
});

describe('the purge of a record', () => {
  it('takes what the log had of it, however long the history is kept', async () => {
    await using own = await scene();
    const { db, caller, passDays, now } = own;
    const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', phoneExt: '1' });
    const kept = await caller.agents.create({ firstName: 'Eva', lastName: 'Reis' });
    await caller.agents.update({ id, phoneExt: '2' });
    await caller.agents.delete({ id });
    passDays(31);
    await purgeTombstones(db, [offices, agents], { now: now(), retentionDays: 30 });
    await assignPositions(db);
    expect(await eraseEvents(db)).toBe(3);
    expect(await eraseEvents(db)).toBe(0);
    const { rows } = await sql<{ text: string }>`
      select event::text as text from event where subject_id = ${id}`.execute(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toMatch(/Ana|Reis/);
    expect((await caller.agents.history({ id })).items).toMatchObject([
      { type: 'agent.purged', changes: [] },
    ]);
    expect((await caller.agents.history({ id: kept.id })).items).toHaveLength(1);
  });

  it('takes the events of a record whose purge is compacted already', async () => {
    await using own = await scene();
    const { db, caller, passDays, now } = own;
    const gone: string[] = [];
    for (const index of [1, 2, 3]) {
      const { id } = await caller.offices.create({ name: `${index}` });
      await caller.offices.delete({ id });
      gone.push(id);
    }
    await assignPositions(db);
    passDays(31);
    await purgeTombstones(db, [offices, agents], { now: now(), retentionDays: 30 });
    await assignPositions(db);
    await compactEvents(db, { now: now(), retentionDays: 30 });
    passDays(1);
    await eraseEvents(db);
    expect((await eventsIn(db)).map(({ type, subject_id }) => [type, subject_id])).toEqual(
      gone.map((id) => ['office.purged', id]).toSorted(),
    );
  });
});
