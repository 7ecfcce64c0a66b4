import type { Problem } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { call, problemOf } from '../../support/calls.ts';
import { bodyOf, directoryOf, newSource } from '../../support/fixtures.ts';
import { expectProblem } from '../../support/problems.ts';
import { ana, useImports } from './import-scene.ts';

const { server, post } = useImports();

describe('the status of an import', () => {
  it('is 200 if every record was created, changed or already as requested', async () => {
    const { of } = newSource();
    const records = ['1', '2'].map((key) => ({ name: key, source: of(key) }));
    for (const status of ['created', 'unchanged']) {
      const response = await post('offices', { mode: 'upsert', records });
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await bodyOf(response)).toMatchObject({ [status]: 2, errors: 0 });
    }
  });

  it('is 207 if some records were rejected and the others written, also if all were rejected', async () => {
    const bad = { ...ana, email: 'x' };
    const some = await post('agents', { records: [ana, bad], isAtomic: false });
    expect(some.status).toBe(207);
    expect(await bodyOf(some)).toMatchObject({ created: 1, errors: 1 });
    const all = await post('agents', { records: [bad], isAtomic: false });
    expect(all.status).toBe(207);
    expect(await bodyOf(all)).toMatchObject({ created: 0, errors: 1 });
  });

  it.each([
    [{ ...ana, officeName: 'Nowhere' }, 'reference_not_found', '#/records/1/officeName', 'not_found'],
    [{ ...ana, status: 'inactive' }, 'validation_failed', '#/records/1/status', 'read_only'],
    [{ ...ana, 'a/b': 1 }, 'validation_failed', '#/records/1/a~1b', 'unknown_field'],
    [{ title: 'Broker' }, 'validation_failed', '#/records/1/firstName', 'required'],
    [
      { ...ana, licenses: [{ number: '' }] },
      'validation_failed',
      '#/records/1/licenses/0/number',
      'required',
    ],
  ] as const)('is that of the error if all are rejected: %j', async (bad, reason, pointer, code) => {
    const body = { records: [ana, bad] };
    const problem = await expectProblem(await post('agents', body), reason);
    expect(problem.errors).toMatchObject([{ pointer, code }]);
    const overRpc = await problemOf(await call(server(), ['imports.agents', body]));
    const essence = ({ instance: _, requestId: __, ...rest }: Problem) => rest;
    expect(essence(overRpc)).toEqual(essence(problem));
  });
});

describe('what a body may hold', () => {
  it.each([
    [{}, '#/records', 'required'],
    [{ records: [] }, '#/records', 'too_few'],
    [{ records: Array.from({ length: 501 }, () => ana) }, '#/records', 'too_many'],
    [{ records: [ana], mode: 'replace' }, '#/mode', 'invalid_choice'],
    [{ records: [ana], isAtomic: 'false' }, '#/isAtomic', 'invalid_type'],
    [{ records: [ana], dryRun: 1 }, '#/dryRun', 'invalid_type'],
    [{ records: [ana], atomic: false }, '#/atomic', 'unknown_field'],
  ])('is rejected otherwise, isAtomic or not: %#', async (body, pointer, code) => {
    for (const fields of [{}, { isAtomic: false }]) {
      const problem = await expectProblem(await post('agents', { ...fields, ...body }), 'validation_failed');
      expect(problem.errors).toMatchObject([{ pointer, code }]);
    }
  });
});

it('happens once with an Idempotency-Key, and a partial response is repeated with its status', async () => {
  const { name, of } = newSource();
  const body = {
    records: [
      { ...ana, source: of('1') },
      { ...ana, bio: 5 },
    ],
    isAtomic: false,
  };
  const headers = { 'Idempotency-Key': name };
  const first = await post('agents', body, headers);
  const second = await post('agents', body, headers);
  expect([first.status, second.status]).toEqual([207, 207]);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await bodyOf(second)).toEqual(await bodyOf(first));
  expect((await directoryOf(server()).list('agents', `sourceName=${name}`)).items.length).toBe(1);
  await expectProblem(await post('agents', { records: [ana] }, headers), 'idempotency_key_reused');
});
