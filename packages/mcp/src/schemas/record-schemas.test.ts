import { expect, it } from 'vitest';
import { checkValues, newRecordSchema } from './record-schemas.ts';

it('checks names, types, lengths and choices of the fields', () => {
  expect(checkValues('agents', 'update', { title: 'Broker', bio: null })).toBeUndefined();
  for (const values of [{ titel: 'Broker' }, { title: 1 }, { title: 'x'.repeat(101) }, { id: 'x' }])
    expect(checkValues('agents', 'update', values)).toMatchObject({ code: 'validation_failed' });
  expect(checkValues('offices', 'update', { branchType: 'tower' })).toMatchObject({ status: 422 });
  expect(checkValues('offices', 'create', {})).toMatchObject({
    detail: 'name is required.',
    errors: [{ pointer: '#/name', code: 'required', detail: 'is required' }],
  });
});

it('shows each field of a new record once, with what it is and whose it is', () => {
  expect(newRecordSchema(['agents', 'offices', 'teams'])).toMatchObject({
    description: expect.stringContaining(
      'Required: of agents firstName and lastName, of offices name, of teams name.',
    ),
    properties: {
      phone: { type: 'string', description: 'The telephone to call first' },
      firstName: { type: 'string', description: 'Given name (agents)' },
      name: { type: 'string', description: 'The name people use (offices, teams)' },
      address: { properties: { city: { type: 'string', description: 'City or town' } } },
      mailingAddress: {
        type: 'object',
        description: 'Where its post goes, if elsewhere, as `address` (offices)',
      },
    },
  });
});

it('does not say whose a field is to a caller who writes records of one resource', () => {
  const { properties } = newRecordSchema(['agents']);
  expect(properties).toMatchObject({ firstName: { description: 'Given name' } });
  expect(properties).not.toHaveProperty('legalName');
});
