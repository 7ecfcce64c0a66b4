import { expect, it } from 'vitest';
import { fieldsOf, newFields, newRecordSchema, objectSchema, patchFields } from './schemas.ts';
import { requireValid } from './service.ts';

it('checks names, types, lengths and choices of the fields', () => {
  requireValid(patchFields('agents'), { title: 'Broker', bio: null });
  for (const values of [{ titel: 'Broker' }, { title: 1 }, { title: 'x'.repeat(101) }, { id: 'x' }])
    expect(() => requireValid(patchFields('agents'), values)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ code: 'validation_failed', status: 422 }),
      }),
    );
  const error = {
    detail: 'name is required.',
    errors: [{ pointer: '#/name', code: 'required', detail: 'is required' }],
  };
  expect(() => requireValid(newFields('offices'), {})).toThrow(
    expect.objectContaining({ problem: expect.objectContaining(error) }),
  );
  requireValid(newFields('agents'), { lastName: 'Reis' }, ['firstName', 'lastName']);
  expect(() => requireValid(newFields('agents'), { firstName: ' ' }, ['firstName', 'lastName'])).toThrow(
    'firstName is required unless lastName is set.',
  );
});

it('shows what an operation takes without limits of length, and one item of a list of which one will do', () => {
  const fields = fieldsOf('agents.list', ['city', { name: 'limit', default: 10, maximum: 50 }, 'nothing']);
  expect(objectSchema(fields)).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string', description: expect.any(String) },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: expect.any(String) },
    },
    additionalProperties: false,
  });
});

it('shows each field of a new record once, with what it is and whose it is', () => {
  expect(newRecordSchema(['agents', 'offices', 'teams'])).toMatchObject({
    description: expect.stringContaining(
      'Required: of agents firstName or lastName, of offices name, of teams name.',
    ),
    properties: {
      phone: { type: 'string', description: 'Preferred phone number' },
      firstName: { type: 'string', description: 'Given name (agents)' },
      name: { type: 'string', description: 'Name in everyday use (offices, teams)' },
      address: { properties: { city: { type: 'string', description: 'City or town' } } },
      mailingAddress: {
        type: 'object',
        description: 'Mailing address, if different, as `address` (offices)',
      },
    },
  });
});

it('does not say whose a field is to a caller who writes records of one resource', () => {
  const { properties } = newRecordSchema(['agents']);
  expect(properties).toMatchObject({ firstName: { description: 'Given name' } });
  expect(properties).not.toHaveProperty('legalName');
});
