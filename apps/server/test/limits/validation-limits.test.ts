import type { ImportAnswer, Problem } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** 150 faults in one record. */
const faulty = {
  firstName: 'Ana',
  lastName: 'Silva',
  licenses: Array(50).fill({ number: 1, region: 2, type: 3 }),
};
const manyFaulty = { records: Array(40).fill(faulty) };
const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));

function recordOf({ pointer = '' }: { pointer?: string | undefined }): string {
  return pointer.split('/')[2] ?? '';
}

describe('the faults of a body', () => {
  it('are 100 at most, and how many more there are is said', async () => {
    const problem = await expectProblem(await server.request('POST', '/agents', faulty), 'validation_failed');
    expect(problem.errors).toHaveLength(100);
    expect(problem.errorsOmitted).toBe(50);
    expect(problem.detail).toMatch(/; and 147 more\.$/);
    const { errors, errorsOmitted } = await problemOf(await call(server, ['agents.create', faulty]));
    expect({ errors, errorsOmitted }).toEqual({ errors: problem.errors, errorsOmitted: 50 });
  });

  it('are one for an object with many unknown fields, with the first of them', async () => {
    const body = { firstName: 'Ana', lastName: 'Silva', ...namesOf(30) };
    const { errors } = await expectProblem(
      await server.request('POST', '/agents', body),
      'validation_failed',
    );
    const detail = 'has 30 names that are not fields of this body: n0, n1, n2 and 27 more';
    expect(errors).toEqual([{ pointer: '#/', code: 'unknown_field', detail }]);
  });

  it.each([
    ['names', { firstName: 'Ana', metadata: namesOf(500) }, '#/metadata'],
    ['items', { firstName: 'Ana', languages: Array(5_000).fill('pt') }, '#/languages'],
    ['values', { firstName: 'Ana', licenses: Array(400).fill(namesOf(6)) }, '#'],
  ])('are one where it holds far too many %s', async (_, body, pointer) => {
    const { errors } = await expectProblem(
      await server.request('POST', '/agents', body),
      'validation_failed',
    );
    expect(errors).toEqual([expect.objectContaining({ pointer, code: 'too_many' })]);
  });

  it('do not repeat a name of any length', async () => {
    const long = 'ã'.repeat(20_000);
    for (const body of [{ [long]: 1 }, { metadata: { [long]: 1 } }, { licenses: [{ [long]: 1 }] }]) {
      const response = await server.request('POST', '/agents', { firstName: 'Ana', lastName: 'S', ...body });
      const { length } = await response.clone().text();
      await expectProblem(response, 'validation_failed');
      expect(length).toBeLessThan(2_000);
    }
  });

  it('of a URL are as few', async () => {
    const names = Array.from({ length: 900 }, (_, n) => `a${n}=1`).join('&');
    const { errors } = await expectProblem(
      await server.request('GET', `/agents?${names}`),
      'invalid_parameter',
    );
    expect(errors).toHaveLength(1);
  });
});

describe('the faults of an import', () => {
  it('are at most 1,000, and at most 100 for a record, if all records are rejected', async () => {
    const response = await server.request('POST', '/imports/agents', manyFaulty);
    const { errors = [], errorsOmitted } = await expectProblem(response, 'validation_failed');
    expect(errors).toHaveLength(1_000);
    expect(errorsOmitted).toBe(40 * 150 - 1_000);
    const ofRecords = Map.groupBy(errors, recordOf);
    expect(ofRecords.size).toBe(40);
    for (const [, some] of ofRecords) expect(some.length).toBeLessThanOrEqual(100);
  });

  it('are as many if each record has its result, with at least one for each record', async () => {
    const response = await server.request('POST', '/imports/agents', { ...manyFaulty, isAtomic: false });
    expect(response.status).toBe(207);
    const { results } = await bodyOf<ImportAnswer>(response);
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
    const answer = await dataOf<ImportAnswer>(
      await call(server, ['imports.agents', { records, isAtomic: false }]),
    );
    expect(answer).toMatchObject({ created: 1, refused: 1 });
    expect(answer.results[0]?.error?.errors).toEqual([
      expect.objectContaining({ pointer: '#/records/0', code: 'too_many' }),
    ]);
  });
});

describe('a body of more values than may be read at once', () => {
  const objects = `{"records":[${Array(60_000).fill('{}').join()}]}`;
  const names = `{"records":[{${Array.from({ length: 60_000 }, (_, n) => `"n${n}":0`).join()}}]}`;
  it.each([
    ['objects', objects],
    ['names', names],
    ['levels', `{"records":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
  ])('is rejected before it is validated, on both interfaces: %s', async (_, body) => {
    const headers = { 'Content-Type': 'application/json' };
    await expectProblem(await server.request('POST', '/imports/agents', body, headers), 'payload_too_large');
    const rpc = await server.request('POST', '/trpc/imports.agents', body, headers);
    expect(rpc.status).toBe(413);
  });

  it('does not count what is in texts', async () => {
    const bio = '[{,"'.repeat(1_000);
    const records = Array(15).fill({ firstName: 'Ana', lastName: 'Reis', bio });
    const response = await server.request('POST', '/imports/agents', { records });
    expect(response.status, JSON.stringify((await response.json()) as Problem)).toBe(200);
  });
});
