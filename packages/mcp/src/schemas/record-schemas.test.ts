import { expect, it } from 'vitest';
import { checkValues, writableSchema } from './record-schemas.ts';

it('checks names, types, lengths and choices of the fields', () => {
  expect(checkValues('agents', 'update', { title: 'Broker', bio: null })).toBeUndefined();
  for (const values of [{ titel: 'Broker' }, { title: 1 }, { title: 'x'.repeat(101) }, { id: 'x' }])
    expect(checkValues('agents', 'update', values)).toMatchObject({ code: 'validation_failed' });
  expect(checkValues('offices', 'update', { branchType: 'tower' })).toMatchObject({ status: 422 });
  expect(checkValues('offices', 'create', {})).toMatchObject({
    errors: [{ pointer: '#/name', code: 'required', detail: 'is required' }],
  });
});

it('shows the meaning of fields where records are created, and names and types where they are changed', () => {
  const created = writableSchema(['agents'], 'create').properties;
  expect(created).toMatchObject({ title: { description: expect.any(String), maxLength: 100 } });
  const changed = writableSchema(['agents'], 'update').properties as object;
  expect(Object.keys(changed)).toEqual(Object.keys(created as object));
  expect(changed).toMatchObject({ title: { type: ['string', 'null'] }, type: { type: ['string', 'null'] } });
  expect(JSON.stringify(changed)).not.toMatch(/description|maxLength/);
});

it('shows one schema for one resource and a choice for two', () => {
  expect(writableSchema(['agents'], 'create')).toMatchObject({
    properties: { firstName: { type: 'string' } },
  });
  expect(writableSchema(['agents', 'offices'], 'create')).toMatchObject({ anyOf: [{}, {}] });
});
