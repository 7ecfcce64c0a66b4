import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { filterLabel } from '../fields/filter-labels.ts';
import { allColumns } from '../list/column-names.ts';
import { findColumnFilters } from './column-filters.ts';
import { filtersOf } from './filter-contracts.ts';

/** The columns that no filter is about, beside those of names, which the search finds. A new column is here, or has a filter. */
const withoutFilter = {
  both: [
    ...['phoneExt', 'fax', 'type', 'nationalAssociationId', 'statusChangedAt', 'statusReason'],
    ...['address.line1', 'address.line2', 'address.county', 'address.postalCode'],
    ...['website', 'bio', 'metadata', 'scheduledChanges', 'version'],
  ],
  agents: [
    ...['mobilePhone', 'directPhone', 'title', 'namePrefix', 'nameSuffix', 'transferredAt'],
    ...['languages', 'designations', 'assistantToAgentId', 'photoUrl'],
    ...['displayName', 'firstName', 'lastName', 'middleName', 'nickname'],
  ],
  offices: [
    ...['counts.agents', 'counts.affiliatedAgents', 'counts.branches', 'branchType', 'franchise', 'timeZone'],
    ...['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'].map(
      (part) => `mailingAddress.${part}`,
    ),
    ...['name', 'legalName'],
  ],
};

describe.each(['offices', 'agents'] as const)('the columns of %s', (resource) => {
  it('have a filter, but for those of which the page says none', () => {
    const without = allColumns[resource].filter((name) => findColumnFilters(resource, name).length === 0);
    expect(without.toSorted()).toEqual([...withoutFilter.both, ...withoutFilter[resource]].toSorted());
  });

  it('are what every filter is about', () => {
    const found = allColumns[resource].flatMap((name) => findColumnFilters(resource, name));
    const others = filtersOf(resource).filter(({ name }) => !found.includes(name));
    // It says how the filter by office counts.
    expect(others.map(({ name }) => name)).toEqual(resource === 'agents' ? ['affiliation'] : []);
  });

  it('have filters with labels', () => {
    const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
    const unnamed = filtersOf(resource).filter(({ name }) => filterLabel(i18n, resource, name) === name);
    expect(unnamed).toEqual([]);
  });
});
