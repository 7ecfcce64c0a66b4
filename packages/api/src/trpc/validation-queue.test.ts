import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { candidatesOf } from '../imports/candidates.ts';
import { deferErrors, InvalidRecord } from '../imports/invalid-record.ts';
import { importedAgents } from '../imports/resources.ts';
import { ImportedAgent } from '../imports/schemas.ts';
import { checkInputSize, measureInput } from './input-limits.ts';
import { UNITS_PER_TURN, waitForCapacity } from './validation-queue.ts';

/** Counts the turns of the event loop until it is told to stop, from one in which no work has begun. */
async function countTurns() {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
  const counted = { turns: 0, stop: () => clearImmediate(next) };
  const turn = () => {
    counted.turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return counted;
}

describe('work that exceeds the capacity of one turn of the event loop', () => {
  it('starts in its order, a bounded part of it in each turn', async () => {
    const counted = await countTurns();
    const begun: { n: number; turn: number }[] = [];
    const work = async (n: number) => {
      await waitForCapacity(500);
      begun.push({ n, turn: counted.turns });
    };
    await Promise.all(Array.from({ length: 100 }, (_, n) => work(n)));
    counted.stop();
    expect(begun.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    const mostAtOnce = UNITS_PER_TURN / 500;
    for (const [, some] of Map.groupBy(begun, ({ turn }) => turn))
      expect(some.length).toBeLessThanOrEqual(mostAtOnce);
    expect(counted.turns).toBeGreaterThanOrEqual(Math.floor(100 / mostAtOnce));
  });

  it('starts even if one part of it is larger than a turn', async () => {
    await Promise.all([waitForCapacity(9_000), waitForCapacity(9_000), waitForCapacity(1)]);
  });

  it('continues in later turns when hundreds of records are validated', async () => {
    const record = { firstName: 'Ana', lastName: 'Reis', languages: Array(20).fill('pt'), wrong: 1 };
    const schema = deferErrors(ImportedAgent).array();
    const counted = await countTurns();
    const read = await schema.parseAsync(Array.from({ length: 1_000 }, () => ({ ...record })));
    counted.stop();
    expect(read.every((one: unknown) => one instanceof InvalidRecord)).toBe(true);
    expect(counted.turns).toBeGreaterThan(2);
  });
});

/** A schema that notes in which turn it looks at a record, and how many units of work that record is. */
function watchedSchema(counted: { turns: number }) {
  const looked: { turn: number; units: number }[] = [];
  const schema = z.unknown().check(({ value }) => {
    looked.push({ turn: counted.turns, units: measureInput(value).units });
  });
  const unitsOfTurns = () =>
    [...Map.groupBy(looked, ({ turn }) => turn).values()].map((some) =>
      some.reduce((sum, { units }) => sum + units, 0),
    );
  return { schema, unitsOfTurns };
}

const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));

describe('one turn of the event loop validates no more than its units of work', () => {
  it.each<[string, () => object]>([
    ['of 500 records with 47,500 unknown names', () => namesOf(95)],
    ['of 500 records with long texts', () => ({ bio: 'x'.repeat(8_000) })],
    ['of 500 records with lists of objects', () => ({ licenses: Array(20).fill(namesOf(4)) })],
  ])('%s', async (_, recordOf) => {
    const counted = await countTurns();
    const { schema, unitsOfTurns } = watchedSchema(counted);
    await deferErrors(schema)
      .array()
      .parseAsync(Array.from({ length: 500 }, recordOf));
    counted.stop();
    const units = unitsOfTurns();
    expect(Math.max(...units)).toBeLessThanOrEqual(UNITS_PER_TURN);
    const all = units.reduce((sum, some) => sum + some);
    expect(all).toBeGreaterThan(3 * UNITS_PER_TURN);
    expect(units.length).toBeGreaterThanOrEqual(all / UNITS_PER_TURN);
  });

  it('for the calls of a batch', async () => {
    const counted = await countTurns();
    const { schema, unitsOfTurns } = watchedSchema(counted);
    const call = async () => {
      const input = { licenses: Array(50).fill(namesOf(5)) };
      await checkInputSize(input);
      schema.parse(input);
    };
    await Promise.all(Array.from({ length: 20 }, call));
    counted.stop();
    expect(Math.max(...unitsOfTurns())).toBeLessThanOrEqual(UNITS_PER_TURN);
    expect(unitsOfTurns().length).toBeGreaterThan(1);
  });
});

describe('the errors of an import', () => {
  it('are described up to the limit of the response, and counted beyond it', async () => {
    const faulty = {
      firstName: 'Ana',
      lastName: 'Reis',
      licenses: Array(24).fill({ number: 1, region: 2, type: 3 }),
    };
    const records = await deferErrors(ImportedAgent).array().parseAsync(Array(500).fill(faulty));
    const drafts = candidatesOf(records, importedAgents, { mode: 'create' });
    const named = drafts.reduce((sum, { issues }) => sum + issues.length, 0);
    expect(named).toBeLessThanOrEqual(1_000 + 500);
    expect(Math.min(...drafts.map(({ issues }) => issues.length))).toBe(1);
    for (const { issues, issuesOmitted } of drafts) expect(issues.length + issuesOmitted).toBe(72);
  });
});
