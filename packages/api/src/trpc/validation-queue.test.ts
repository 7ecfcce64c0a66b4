import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ImportedAgent } from '../directory/agents/schemas.ts';
import { importDefinitions } from '../imports/definitions.ts';
import { deferErrors, InvalidRecord } from '../imports/invalid-record.ts';
import { readRows } from '../imports/rows.ts';
import { checkInputSize, measureInput } from './input-limits.ts';
import { UNITS_PER_ITERATION, waitForCapacity } from './validation-queue.ts';

/** Counts the iterations of the event loop until it is told to stop, from one in which no work has begun. */
async function countIterations() {
  for (let iterations = 0; iterations < 3; iterations += 1) await nextIteration();
  const counted = { iterations: 0, stop: () => clearImmediate(next) };
  const iteration = () => {
    counted.iterations += 1;
    next = setImmediate(iteration);
  };
  let next = setImmediate(iteration);
  return counted;
}

describe('work that exceeds the capacity of one iteration of the event loop', () => {
  it('starts in its order, a bounded part of it in each iteration', async () => {
    const counted = await countIterations();
    const begun: { n: number; iteration: number }[] = [];
    const work = async (n: number) => {
      await waitForCapacity(500);
      begun.push({ n, iteration: counted.iterations });
    };
    await Promise.all(Array.from({ length: 100 }, (_, n) => work(n)));
    counted.stop();
    expect(begun.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    const mostAtOnce = UNITS_PER_ITERATION / 500;
    for (const [, some] of Map.groupBy(begun, ({ iteration }) => iteration))
      expect(some.length).toBeLessThanOrEqual(mostAtOnce);
    expect(counted.iterations).toBeGreaterThanOrEqual(Math.floor(100 / mostAtOnce));
  });

  it('starts even if one part of it is larger than an iteration', async () => {
    await Promise.all([waitForCapacity(9_000), waitForCapacity(9_000), waitForCapacity(1)]);
  });

  it('continues in later iterations when hundreds of records are validated', async () => {
    const record = { firstName: 'Ana', lastName: 'Reis', languages: Array(20).fill('pt'), wrong: 1 };
    const schema = deferErrors(ImportedAgent).array();
    const counted = await countIterations();
    const read = await schema.parseAsync(Array.from({ length: 1_000 }, () => ({ ...record })));
    counted.stop();
    expect(read.every((one: unknown) => one instanceof InvalidRecord)).toBe(true);
    expect(counted.iterations).toBeGreaterThan(2);
  });
});

/** A schema that notes in which iteration it looks at a record, and how many units of work that record is. */
function watchedSchema(counted: { iterations: number }) {
  const looked: { iteration: number; units: number }[] = [];
  const schema = z.unknown().check(({ value }) => {
    looked.push({ iteration: counted.iterations, units: measureInput(value).units });
  });
  const unitsOfIterations = () =>
    [...Map.groupBy(looked, ({ iteration }) => iteration).values()].map((some) =>
      some.reduce((sum, { units }) => sum + units, 0),
    );
  return { schema, unitsOfIterations };
}

const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));

describe('one iteration of the event loop validates no more than its units of work', () => {
  it.each<[string, () => object]>([
    ['of 500 records with 47,500 unknown names', () => namesOf(95)],
    ['of 500 records with long texts', () => ({ bio: 'x'.repeat(8_000) })],
    ['of 500 records with lists of objects', () => ({ licenses: Array(20).fill(namesOf(4)) })],
  ])('%s', async (_, recordOf) => {
    const counted = await countIterations();
    const { schema, unitsOfIterations } = watchedSchema(counted);
    await deferErrors(schema)
      .array()
      .parseAsync(Array.from({ length: 500 }, recordOf));
    counted.stop();
    const units = unitsOfIterations();
    expect(Math.max(...units)).toBeLessThanOrEqual(UNITS_PER_ITERATION);
    const all = units.reduce((sum, some) => sum + some);
    expect(all).toBeGreaterThan(3 * UNITS_PER_ITERATION);
    expect(units.length).toBeGreaterThanOrEqual(all / UNITS_PER_ITERATION);
  });

  it('for the calls of a batch', async () => {
    const counted = await countIterations();
    const { schema, unitsOfIterations } = watchedSchema(counted);
    const call = async () => {
      const input = { licenses: Array(50).fill(namesOf(5)) };
      await checkInputSize(input);
      schema.parse(input);
    };
    await Promise.all(Array.from({ length: 20 }, call));
    counted.stop();
    expect(Math.max(...unitsOfIterations())).toBeLessThanOrEqual(UNITS_PER_ITERATION);
    expect(unitsOfIterations().length).toBeGreaterThan(1);
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
    const drafts = readRows(records, importDefinitions.agents, {
      mode: 'create',
      rows: [],
    });
    const named = drafts.reduce((sum, { issues }) => sum + issues.length, 0);
    expect(named).toBeLessThanOrEqual(1_000 + 500);
    expect(Math.min(...drafts.map(({ issues }) => issues.length))).toBe(1);
    for (const { issues, issuesOmitted } of drafts) expect(issues.length + issuesOmitted).toBe(72);
  });
});
