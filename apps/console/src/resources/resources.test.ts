import { describe, expect, it } from 'vitest';
import { contracts, fieldOf, kindAt, resourceNames } from '../contract/contracts.ts';
import {
  columnsOf,
  groupsOf,
  isResourceName,
  referredResource,
  resourceOfEvent,
  resources,
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
    expect(columns).toEqual(expect.arrayContaining([...resources[resource].defaultColumns]));
    expect(new Set(columns).size).toBe(columns.length);
  });

  it('names orders and fields that there are', () => {
    const { nameField, nameSort, parentField } = resources[resource];
    expect(written).toEqual(expect.arrayContaining([nameField, parentField]));
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
    ['mainOfficeId', 'offices'],
    ['officeId', 'offices'],
    ['brokerAgentId', 'agents'],
    ['assistantToAgentId', 'agents'],
    ['mlsId', undefined],
  ])('is found by the name of the field %s', (field, resource) => {
    expect(referredResource(field)).toBe(resource);
  });
});

it('a field has the kind of its path', () => {
  expect(kindAt('agents', 'email')).toBe('email');
  expect(kindAt('agents', 'licenses.0.expiresOn')).toBe('date');
  expect(kindAt('agents', 'transferredAt')).toBe('time');
  expect(kindAt('offices', 'metadata.costCentre')).toBe('text');
  expect(fieldOf('offices', 'transferredAt')).toBeUndefined();
});
