import { describe, expect, it } from 'vitest';
import { contracts, fieldOf, kindAt, referredResource } from '../contract/contracts.ts';
import { groups } from './groups.ts';

describe.each(['offices', 'agents'] as const)('the groups of %s', (resource) => {
  it('have every field that can be written once', () => {
    const grouped = groups[resource].flatMap(({ fields }) => fields);
    const written = contracts[resource].fields.map(({ name }) => name);
    expect(grouped.toSorted()).toEqual(written.toSorted());
  });

  it('have ids of their own', () => {
    const ids = groups[resource].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a field', () => {
  it('refers to records of the resource that its name says', () => {
    const references = [contracts.offices, contracts.agents]
      .flatMap(({ fields }) => fields)
      .filter(({ kind }) => kind === 'reference')
      .map(({ name }) => [name, referredResource(name)]);
    expect(Object.fromEntries(references)).toEqual({
      mainOfficeId: 'offices',
      officeId: 'offices',
      brokerAgentId: 'agents',
      managerAgentId: 'agents',
      assistantToAgentId: 'agents',
    });
  });

  it('has the kind of its path', () => {
    expect(kindAt('agents', 'email')).toBe('email');
    expect(kindAt('agents', 'licenses.0.expiresOn')).toBe('date');
    expect(kindAt('agents', 'transferredAt')).toBe('time');
    expect(kindAt('offices', 'metadata.costCentre')).toBe('text');
    expect(fieldOf('offices', 'transferredAt')).toBeUndefined();
  });
});
