import { describe, expect, it } from 'vitest';
import { contracts, fieldOf, kindAt, referredResource, resourceNames } from '../api/contract/contracts.ts';
import {
  columnsOf,
  defaultColumnsOf,
  groupsOf,
  isResourceName,
  relationsOf,
  resourceOfEvent,
} from './index.ts';

describe.each(resourceNames)('the definition of %s', (resource) => {
  const { fields, sorts } = contracts[resource];
  const written = fields.map(({ name }) => name);

  it('has every field that can be written in one group', () => {
    const grouped = groupsOf(resource).flatMap((group) => group.fields);
    expect(grouped.toSorted()).toEqual(written.toSorted());
  });

  it('has groups with ids of their own', () => {
    const ids = groupsOf(resource).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has every field that can be written as a column, and the default ones once', () => {
    const columns = columnsOf(resource);
    const missing = written.filter(
      (name) => !columns.some((one) => one === name || one.startsWith(`${name}.`)),
    );
    expect(missing).toEqual([]);
    expect(columns).toEqual(expect.arrayContaining([...defaultColumnsOf(resource)]));
    expect(new Set(columns).size).toBe(columns.length);
  });

  it('names orders and fields that there are', () => {
    const { nameField, nameSort, parentField } = contracts[resource];
    expect(written).toEqual(
      expect.arrayContaining([nameField, ...(parentField === undefined ? [] : [parentField])]),
    );
    expect(sorts).toContain(nameSort);
  });
});

describe('a resource', () => {
  it('is found by its name', () => {
    expect(resourceNames.every(isResourceName)).toBe(true);
    expect(isResourceName('toString')).toBe(false);
    expect(isResourceName(undefined)).toBe(false);
  });

  it('is found by the type of an event', () => {
    expect(resourceOfEvent('agent.license_expiring')).toBe('agents');
    expect(resourceOfEvent('session.ended')).toBeUndefined();
  });

  it.each([
    ['offices', 'mainOfficeId', 'offices'],
    ['agents', 'officeId', 'offices'],
    ['offices', 'brokerAgentId', 'agents'],
    ['agents', 'assistantToAgentId', 'agents'],
    ['agents', 'mlsId', undefined],
  ] as const)(
    'of the records that a field refers to, in %s by %s, is in the contract',
    (name, field, resource) => {
      expect(referredResource(name, field)).toBe(resource);
    },
  );

  it('has the records that refer to one of it under a heading of their own', () => {
    expect(relationsOf('offices').map(({ resource, field }) => `${resource}.${field}`)).toEqual([
      'agents.officeId',
      'offices.mainOfficeId',
      'teams.officeId',
    ]);
  });
});

it('a field has the kind of its path', () => {
  expect(kindAt('agents', 'email')).toBe('email');
  expect(kindAt('agents', 'licenses.0.expiresOn')).toBe('date');
  expect(kindAt('agents', 'transferredAt')).toBe('time');
  expect(kindAt('agents', 'deactivatedAt')).toBe('time');
  expect(kindAt('agents', 'nextLicenseExpiresOn')).toBe('date');
  expect(kindAt('agents', 'version')).toBe('number');
  expect(kindAt('offices', 'metadata.costCentre')).toBe('text');
  expect(fieldOf('offices', 'transferredAt')).toBeUndefined();
});
