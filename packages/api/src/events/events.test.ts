import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { agents } from '../directory/agents/definition.ts';
import { offices } from '../directory/offices/definition.ts';
import { purgeTombstones } from '../host/maintenance.ts';
import { assignPositions } from '../log/sequencer.ts';
import type { EventType } from '../log/types.ts';
import { compactEvents } from '../log/upkeep.ts';
import type { Event } from './schemas.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const ACTOR = '00000000-0000-0000-0000-000000000000';

/** A caller on its own database, without a sequencer: tests assign the positions. */
async function scene() {
  const database = await createTestDatabase({ requiresEvents: true });
  let now = new Date('2026-01-31T08:00:00.000Z');
  const caller = callerIn(database.db, { now: () => now });
  return {
    database,
    caller,
    later: (ms: number) => {
      now = new Date(now.getTime() + ms);
      return now;
    },
    now: () => now,
    /** All events of a record. */
    async historyOf(subject: string): Promise<Event[]> {
      await assignPositions(database.db);
      return (await caller.events.list({ subject, limit: 200 })).items;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;
let shared: Scene;
beforeAll(async () => {
  shared = await scene();
});
afterAll(() => shared[Symbol.asyncDispose]());

const verbsOf = (events: Event[]) => events.map(({ type }) => type.split('.')[1]);
const last = <Item>(items: Item[]) => items.at(-1) as Item;

describe('each change of a record', () => {
  it.each(['offices', 'agents'] as const)(
    'of %s writes one event, and nothing else does',
    async (resource) => {
      const { caller, historyOf, database, later } = shared;
      const { update, deactivate, reactivate, delete: remove, restore } = caller[resource];
      const { id } =
        resource === 'offices'
          ? await caller.offices.create({ name: 'Baixa' })
          : await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
      await update({ id, phoneExt: '1' });
      await update({ id, phoneExt: '1' });
      await update({ id });
      await deactivate({ id, reason: 'Moved' });
      await deactivate({ id, reason: 'Again' });
      await reactivate({ id, reason: 'Back' });
      await reactivate({ id });
      await remove({ id });
      await restore({ id, reason: 'By mistake' });
      await restore({ id });
      await remove({ id });
      await purgeTombstones(database.db, [offices, agents], { now: later(31 * DAY_MS), retentionDays: 30 });
      const events = await historyOf(id);
      expect(verbsOf(events)).toEqual([
        ...['created', 'updated', 'deactivated', 'reactivated', 'deleted', 'restored', 'deleted', 'purged'],
      ]);
      expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 4, 5, 5, 5]);
      expect(events.map(({ reason }) => reason)).toEqual([
        ...[null, null, 'Moved', 'Back', null, 'By mistake', null, null],
      ]);
      expect(last(events)).toMatchObject({ record: null, previous: {}, actorId: null, requestId: null });
      for (const event of events.slice(0, -1))
        expect(event).toMatchObject({ actorId: ACTOR, requestId: 'test' });
    },
  );

  it('writes an event with the returned record and the previous values of the changed fields', async () => {
    const { caller, historyOf, later } = shared;
    const first = await caller.agents.create({
      firstName: 'Ana',
      lastName: 'Reis',
      address: { city: 'Lisboa', country: 'PT' },
      metadata: { a: '1', b: '2' },
      languages: ['pt'],
    });
    later(1_000);
    const { id } = first;
    const second = await caller.agents.update({
      id,
      firstName: 'Ane',
      address: { city: 'Porto' },
      metadata: { a: null, c: '3' },
    });
    later(1_000);
    const third = await caller.agents.deactivate({ id, reason: 'Moved' });
    const [created, updated, deactivated] = await historyOf(id);
    expect([created?.record, updated?.record, deactivated?.record]).toEqual([first, second, third]);
    expect(created?.previous).toEqual({});
    expect(updated?.previous).toEqual({
      firstName: 'Ana',
      displayName: 'Ana Reis',
      address: first.address,
      metadata: { a: '1', b: '2' },
      updatedAt: first.updatedAt,
      version: 1,
    });
    expect({ ...updated?.record, ...updated?.previous }).toEqual(first);
    expect({ ...deactivated?.record, ...deactivated?.previous }).toEqual(second);
  });

  it('writes an event with the reason for each agent that is deactivated with its office', async () => {
    const { caller, historyOf } = shared;
    const office = await caller.offices.create({ name: 'Alfama' });
    const names = ['Ana', 'Rui'];
    const people = await Promise.all(
      names.map((firstName) => caller.agents.create({ firstName, lastName: 'Sá', officeId: office.id })),
    );
    await caller.offices.deactivate({ id: office.id, cascade: true, reason: 'Closed' });
    for (const { id } of [office, ...people]) {
      expect(last(await historyOf(id))).toMatchObject({ version: 2, reason: 'Closed' });
    }
  });

  it('writes no event if it is rejected or rolled back', async () => {
    const { caller, historyOf, database } = shared;
    const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', email: 'a@b.example' });
    const taken = { firstName: 'Ana', lastName: 'Reis', email: 'A@B.example' };
    await expect(caller.agents.create(taken)).rejects.toThrow();
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await callerIn(trx).agents.update({ id, title: 'Broker' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(verbsOf(await historyOf(id))).toEqual(['created']);
  });

  it('cannot be committed without an event in a test database', async () => {
    const { database, caller } = shared;
    const { id } = await caller.offices.create({ name: 'Chiado' });
    const past = sql`update office set version = version + 1 where id = ${id}`.execute(database.db);
    await expect(past).rejects.toThrow('committed without an event');
  });
});

describe('a page of events', () => {
  it('continues after the previous page, for any types', async () => {
    await using own = await scene();
    const { caller, database } = own;
    for (let index = 0; index < 7; index += 1) {
      const { id } = await caller.offices.create({ name: `Office ${index}` });
      if (index % 3 === 0) await caller.offices.update({ id, phoneExt: '1' });
    }
    await assignPositions(database.db);
    const read = async (types: EventType[] | undefined, limit: number) => {
      const seen: number[] = [];
      for (let after = '0'; ; ) {
        const page = await caller.events.list({ after, limit, ...(types && { types }) });
        seen.push(...page.items.map(({ position }) => position));
        after = page.nextAfter;
        if (!page.hasMore) return { seen, after };
      }
    };
    for (const limit of [1, 2, 3, 10, 200]) {
      expect(await read(undefined, limit)).toEqual({ seen: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], after: '10' });
      expect(await read(['office.updated'], limit)).toEqual({ seen: [2, 6, 10], after: '10' });
    }
    expect(await caller.events.list({ after: 'latest' })).toEqual({
      items: [],
      nextAfter: '10',
      hasMore: false,
      compactedTo: 0,
    });
    await expect(caller.events.list({ after: '11' })).rejects.toThrow('The log ends at 10');
  });

  it('continues with older events if the latest come first, for any types, record and actor', async () => {
    await using own = await scene();
    const { caller, database } = own;
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const { id } = await caller.offices.create({ name: `Office ${index}` });
      ids.push(id);
      if (index % 3 === 0) await caller.offices.update({ id, phoneExt: '1' });
    }
    await caller.webhooks.create({ url: 'https://receiver.example/hook' });
    await assignPositions(database.db);
    const read = async (
      filter: { types?: EventType[]; subject?: string; actorId?: string },
      limit: number,
    ) => {
      const seen: number[] = [];
      for (let after: string | undefined; ; ) {
        const page = await caller.events.list({
          ...filter,
          sort: '-position',
          limit,
          ...(after && { after }),
        });
        seen.push(...page.items.map(({ position }) => position));
        after = page.nextAfter;
        if (!page.hasMore) return seen;
      }
    };
    for (const limit of [1, 2, 3, 10, 200]) {
      expect(await read({}, limit)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(await read({ types: ['office.updated'] }, limit)).toEqual([10, 6, 2]);
      expect(await read({ types: ['office.updated', 'webhook.created'] }, limit)).toEqual([11, 10, 6, 2]);
      expect(await read({ subject: ids[3] ?? '' }, limit)).toEqual([6, 5]);
      expect(await read({ actorId: ACTOR, types: ['office.updated'] }, limit)).toEqual([10, 6, 2]);
    }
    const from = async (after: string) =>
      (await caller.events.list({ sort: '-position', after, limit: 2 })).items.map(
        ({ position }) => position,
      );
    expect(await from('4')).toEqual([3, 2]);
    expect(await from('0')).toEqual([]);
    await expect(from('99')).rejects.toThrow('The log ends at');
  });

  it('has no uncommitted event; once committed, it comes after those that were committed before', async () => {
    await using own = await scene();
    const { caller, database } = own;
    const seen: string[] = [];
    let after = '0';
    const readOn = async () => {
      await assignPositions(database.db);
      const page = await caller.events.list({ after });
      after = page.nextAfter;
      seen.push(...page.items.map(({ record }) => (record as { name: string }).name));
    };
    await database.db.transaction().execute(async (trx) => {
      await callerIn(trx).offices.create({ name: 'long' });
      await caller.offices.create({ name: 'short' });
      await readOn();
      await caller.offices.create({ name: 'shorter' });
      await readOn();
      expect(seen).toEqual(['short', 'shorter']);
    });
    await readOn();
    expect(seen).toEqual(['short', 'shorter', 'long']);
  });
});

describe('the sequencer', () => {
  it('lists the events of one record in pages of any size, in the order of its versions', async () => {
    const { caller, database } = shared;
    const { id } = await caller.offices.create({ name: 'Alcântara' });
    for (let index = 0; index < 6; index += 1) {
      await caller.offices.update({ id, phoneExt: `${index}` });
      await caller.offices.create({ name: `Other ${index}` });
    }
    await assignPositions(database.db);
    for (const types of [undefined, ['office.updated' as const]]) {
      const versions: number[] = [];
      for (let after = '0', hasMore = true; hasMore; ) {
        const page = await caller.events.list({ subject: id, types, after, limit: 2 });
        versions.push(...page.items.map(({ version }) => version));
        ({ nextAfter: after, hasMore } = page);
      }
      expect(versions).toEqual(types === undefined ? [1, 2, 3, 4, 5, 6, 7] : [2, 3, 4, 5, 6, 7]);
    }
  });

  it('assigns positions to the events of one record in the order of its versions', async () => {
    const { caller, historyOf } = shared;
    const { id } = await caller.offices.create({ name: 'Belém' });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => caller.offices.update({ id, phoneExt: `${index}` })),
    );
    const versions = (await historyOf(id)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });
});

describe('a compacted log', () => {
  it('has the newest event of each record and can be read from its start', async () => {
    await using own = await scene();
    const { caller, database, later } = own;
    const kept = await caller.offices.create({ name: 'Kept' });
    const gone = await caller.offices.create({ name: 'Gone' });
    for (const phoneExt of ['1', '2', '3']) await caller.offices.update({ id: kept.id, phoneExt });
    await caller.offices.delete({ id: gone.id });
    await assignPositions(database.db);
    const now = later(31 * DAY_MS);
    await caller.offices.update({ id: kept.id, phoneExt: '4' });
    await assignPositions(database.db);
    expect(await compactEvents(database.db, { now, retentionDays: 30 })).toBe(4);
    expect(await compactEvents(database.db, { now, retentionDays: 30 })).toBe(0);
    const first = await caller.events.list({ limit: 1 });
    expect(first).toMatchObject({ nextAfter: '5~', hasMore: true, items: [{ position: 5, version: 4 }] });
    const second = await caller.events.list({ limit: 1, after: first.nextAfter });
    expect(second).toMatchObject({ nextAfter: '6', items: [{ type: 'office.deleted' }] });
    const third = await caller.events.list({ limit: 1, after: second.nextAfter });
    expect(third).toMatchObject({ nextAfter: '7', items: [{ version: 5 }], hasMore: false });
    for (const after of ['1', '5']) {
      await expect(caller.events.list({ after })).rejects.toThrow('The log is compacted up to 6');
    }
    expect((await caller.events.list({ after: '6' })).items).toHaveLength(1);
    const back = async (after: string) => {
      const page = await caller.events.list({ sort: '-position', limit: 1, after });
      return [page.items[0]?.position, page.nextAfter, page.hasMore, page.compactedTo];
    };
    expect(await back('latest')).toEqual([7, '7', true, 6]);
    expect(await back('7')).toEqual([6, '6', true, 6]);
    expect(await back('6')).toEqual([5, '0~', false, 6]);
    expect(await back('5~')).toEqual([undefined, '0~', false, 6]);
  });
});
