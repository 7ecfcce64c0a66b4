import { describe, expect, it } from 'vitest';
import { ImportedAgent } from './imports/schemas.ts';
import { readable, Unread } from './imports/unread.ts';
import { turnFor } from './work-turns.ts';

/** Counts the turns of the event loop until it is told to stop. */
function countTurns() {
  const counted = { turns: 0, stop: () => clearImmediate(next) };
  const turn = () => {
    counted.turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return counted;
}

describe('work that is more than one turn of the event loop may hold', () => {
  it('is done in the order of the asking, a bounded part of it in each turn', async () => {
    const counted = countTurns();
    const begun: { n: number; turn: number }[] = [];
    const work = async (n: number) => {
      await turnFor(500);
      begun.push({ n, turn: counted.turns });
    };
    await Promise.all(Array.from({ length: 100 }, (_, n) => work(n)));
    counted.stop();
    expect(begun.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    for (const [, some] of Map.groupBy(begun, ({ turn }) => turn))
      expect(some.length).toBeLessThanOrEqual(16);
    expect(counted.turns).toBeGreaterThanOrEqual(100 / 16);
  });

  it('is begun even where one part of it is more than a turn holds', async () => {
    await Promise.all([turnFor(9_000), turnFor(9_000), turnFor(1)]);
  });

  it('goes on in later turns where hundreds of records are validated', async () => {
    const record = { firstName: 'Ana', lastName: 'Reis', languages: Array(20).fill('pt'), wrong: 1 };
    const schema = readable(ImportedAgent).array();
    const counted = countTurns();
    const read = await schema.parseAsync(Array.from({ length: 1_000 }, () => ({ ...record })));
    counted.stop();
    expect(read.every((one: unknown) => one instanceof Unread)).toBe(true);
    expect(counted.turns).toBeGreaterThan(2);
  });
});
