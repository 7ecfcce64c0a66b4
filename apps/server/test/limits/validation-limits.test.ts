import type { Problem } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { expectProblem } from '../support/problems.ts';
import { useServer } from '../support/use-server.ts';
import { faulty, namesOf } from './faulty-records.ts';

const server = useServer();

describe('the faults of a body', () => {
  it('are 100 at most, and how many more there are is said', async () => {
    const problem = await expectProblem(
      await server().request('POST', '/agents', faulty),
      'validation_failed',
    );
    expect(problem.errors).toHaveLength(100);
    expect(problem.errorsOmitted).toBe(50);
    expect(problem.detail).toMatch(/; and 147 more\.$/);
    const { errors, errorsOmitted } = await problemOf(await call(server(), ['agents.create', faulty]));
    expect({ errors, errorsOmitted }).toEqual({ errors: problem.errors, errorsOmitted: 50 });
  });

  it('are one for an object with many unknown fields, with the first of them', async () => {
    const body = { firstName: 'Ana', lastName: 'Silva', ...namesOf(30) };
    const { errors } = await expectProblem(
      await server().request('POST', '/agents', body),
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
      await server().request('POST', '/agents', body),
      'validation_failed',
    );
    expect(errors).toEqual([expect.objectContaining({ pointer, code: 'too_many' })]);
  });

  it('do not repeat a name of any length', async () => {
    const long = 'ã'.repeat(20_000);
    for (const body of [{ [long]: 1 }, { metadata: { [long]: 1 } }, { licenses: [{ [long]: 1 }] }]) {
      const response = await server().request('POST', '/agents', {
        firstName: 'Ana',
        lastName: 'S',
        ...body,
      });
      const { length } = await response.clone().text();
      await expectProblem(response, 'validation_failed');
      expect(length).toBeLessThan(2_000);
    }
  });

  it('of a URL are as few', async () => {
    const names = Array.from({ length: 900 }, (_, n) => `a${n}=1`).join('&');
    const { errors } = await expectProblem(
      await server().request('GET', `/agents?${names}`),
      'invalid_parameter',
    );
    expect(errors).toHaveLength(1);
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
    await expectProblem(
      await server().request('POST', '/imports/agents', body, headers),
      'payload_too_large',
    );
    const rpc = await server().request('POST', '/trpc/imports.agents', body, headers);
    expect(rpc.status).toBe(413);
  });

  it('does not count what is in texts', async () => {
    const bio = '[{,"'.repeat(1_000);
    const records = Array(15).fill({ firstName: 'Ana', lastName: 'Reis', bio });
    const response = await server().request('POST', '/imports/agents', { records });
    expect(response.status, JSON.stringify((await response.json()) as Problem)).toBe(200);
  });
});
