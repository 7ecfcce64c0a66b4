import { createTestDatabase } from '@roster/db/testing';
import { describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { assignPositions } from '../log/sequencer.ts';

/** A caller on its own database, without a sequencer: tests assign the positions. */
async function scene() {
  const database = await createTestDatabase({ requiresEvents: true });
  return {
    database,
    caller: callerIn(database.db),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe('a page of events', () => {
  it('has the same positions in a copy of the database, which continues to count from there', async () => {
    await using own = await scene();
    await own.caller.offices.create({ name: 'Baixa' });
    await own.caller.offices.create({ name: 'Alfama' });
    await assignPositions(own.database.db);
    await own.database.db.destroy();
    await using copy = await createTestDatabase({ template: own.database.connection.database });
    const caller = callerIn(copy.db);
    await caller.offices.create({ name: 'Chiado' });
    await assignPositions(copy.db);
    const { items } = await caller.events.list({ after: '1' });
    expect(items.map(({ position, record }) => [position, (record as { name: string }).name])).toEqual([
      [2, 'Alfama'],
      [3, 'Chiado'],
    ]);
  });
});

describe('the sequencer', () => {
  it('assigns each position once and without a gap, with any number of concurrent sequencers', async () => {
    await using own = await scene();
    const { caller, database } = own;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; index < 10; index += 1) await caller.offices.create({ name: `${writer} ${index}` });
    });
    const givers = Array.from({ length: 4 }, async () => {
      for (let index = 0; index < 20; index += 1) await assignPositions(database.db);
    });
    await Promise.all([...writers, ...givers]);
    await assignPositions(database.db);
    const { items } = await caller.events.list({ limit: 200 });
    expect(items.map(({ position }) => position)).toEqual(
      Array.from({ length: 80 }, (_, index) => index + 1),
    );
  });
});
