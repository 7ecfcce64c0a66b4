import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { compareAll } from '../../test/support/comparison.ts';
import { generatePeople } from '../../test/support/duplicate-people.ts';

const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];
const SCORE_DEFAULT = 0.8;
const OFFICES = 40;

const keyOf = (one: string, other: string) => [one, other].sort().join(' ');

/** Inserts generated people, compares them, and resolves to the scores of the pairs that were found, and to those that are. */
async function compareGenerated(seed: number, count: number) {
  await using database = await createTestDatabase();
  const { db } = database;
  const caller = callerIn(db);
  const offices: string[] = [];
  for (let office = 0; office < OFFICES; office += 1)
    offices.push((await caller.offices.create({ name: `Office ${office}` })).id);
  const { people, duplicates } = generatePeople({ seed, count, offices: OFFICES });
  const ids: string[] = [];
  for (let start = 0; start < people.length; start += 500) {
    const records = people.slice(start, start + 500).map(({ office, ...person }) => ({
      ...person,
      officeId: offices[Number(office)],
    }));
    const response = await caller.imports.agents({
      records: records as never,
      mode: 'create',
      isAtomic: true,
    });
    ids.push(...response.results.map(({ id }) => id ?? ''));
  }
  const start = performance.now();
  await compareAll(db);
  const seconds = (performance.now() - start) / 1_000;
  const { rows } = await sql<{ first: string; second: string; score: string }>`
    select first_id as first, second_id as second, score from duplicate_pair where collection = 'agents'`.execute(
    db,
  );
  const scores = new Map(rows.map(({ first, second, score }) => [keyOf(first, second), Number(score)]));
  const kinds = new Map(
    duplicates.map(({ kind, pair: [one, other] }) => [keyOf(ids[one] ?? '', ids[other] ?? ''), kind]),
  );
  return { scores, kinds, seconds };
}

function qualityAt(
  threshold: number,
  { scores, kinds }: Pick<Awaited<ReturnType<typeof compareGenerated>>, 'scores' | 'kinds'>,
) {
  const found = [...scores].filter(([, score]) => score >= threshold).map(([key]) => key);
  const right = found.filter((key) => kinds.has(key)).length;
  return { precision: right / Math.max(found.length, 1), recall: right / kinds.size };
}

it.each([[3], [4]])(
  'of people with known duplicates the default score finds nine of ten, and of a hundred pairs two are wrong at most (seed %i)',
  async (seed) => {
    const result = await compareGenerated(seed, 5_000);
    const rows = THRESHOLDS.map((threshold) => {
      const { precision, recall } = qualityAt(threshold, result);
      return `| ${threshold} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`;
    });
    const byKind = [...Map.groupBy(result.kinds, ([, kind]) => kind)].map(([kind, some]) => {
      const found = some.filter(([key]) => (result.scores.get(key) ?? 0) >= SCORE_DEFAULT).length;
      return `| ${kind} | ${some.length} | ${(found / some.length).toFixed(3)} |`;
    });
    if (process.env.ROSTER_PRINT_QUALITY !== undefined)
      process.stdout.write(`${[...rows, ...byKind, `${result.seconds.toFixed(1)} s`].join('\n')}\n`);
    const { precision, recall } = qualityAt(SCORE_DEFAULT, result);
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  },
);
