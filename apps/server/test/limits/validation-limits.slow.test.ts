import type { ImportResponse } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { call, dataOf } from '../support/calls.ts';
import { bodyOf } from '../support/fixtures.ts';
import { expectProblem } from '../support/problems.ts';
import { useServer } from '../support/use-server.ts';
import { faulty, namesOf } from './faulty-records.ts';

const server = useServer();

const manyFaulty = { records: Array(40).fill(faulty) };

function recordOf({ pointer = '' }: { pointer?: string | undefined }): string {
  return pointer.split('/')[2] ?? '';
}

describe('the faults of an import', () => {
  it('are at most 1,000, and at most 100 for a record, if all records are rejected', async () => {
    const response = await server().request('POST', '/imports/agents', manyFaulty);
    const { errors = [], errorsOmitted } = await expectProblem(response, 'validation_failed');
    expect(errors).toHaveLength(1_000);
    expect(errorsOmitted).toBe(40 * 150 - 1_000);
    const ofRecords = Map.groupBy(errors, recordOf);
    expect(ofRecords.size).toBe(40);
    for (const [, some] of ofRecords) expect(some.length).toBeLessThanOrEqual(100);
  });

  it('are as many if each record has its result, with at least one for each record', async () => {
    const response = await server().request('POST', '/imports/agents', { ...manyFaulty, isAtomic: false });
    expect(response.status).toBe(207);
    const { results } = await bodyOf<ImportResponse>(response);
    const counts = results.map(({ error }) => error?.errors.length ?? 0);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBe(100);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1_000);
    for (const { error } of results)
      expect((error?.errors.length ?? 0) + (error?.errorsOmitted ?? 0)).toBe(150);
  });

  it('do not change other records if one is far too large', async () => {
    const records = [
      { firstName: 'Ana', ...namesOf(900) },
      { firstName: 'Ana', lastName: 'Reis' },
    ];
    const result = await dataOf<ImportResponse>(
      await call(server(), ['imports.agents', { records, isAtomic: false }]),
    );
    expect(result).toMatchObject({ created: 1, errors: 1 });
    expect(result.results[0]?.error?.errors).toEqual([
      expect.objectContaining({ pointer: '#/records/0', code: 'too_many' }),
    ]);
  });
});
