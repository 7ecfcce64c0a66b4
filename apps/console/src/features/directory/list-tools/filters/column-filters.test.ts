import { describe, expect, it } from 'vitest';
import { contracts, resourceNames } from '../../../../api/contract/contracts.ts';
import { columnsOf } from '../../../../resources/index.ts';
import { findColumnFilters } from './column-filters.ts';

describe('the filters of a column', () => {
  it.each([
    ['address.city', ['city']],
    ['createdAt', ['createdSince', 'createdBefore']],
    ['officeId', ['officeId', 'empty', 'notEmpty']],
    ['fax', []],
  ])('of %s are %j', (column, names) => {
    expect(findColumnFilters('agents', column).toSorted()).toEqual(names.toSorted());
  });

  it.each(resourceNames)(
    'are all filters of %s but the one that says how the filter by office counts',
    (resource) => {
      const columns = columnsOf(resource);
      const found = columns.flatMap((name) => findColumnFilters(resource, name));
      const others = contracts[resource].filters.filter(
        ({ name, choices }) =>
          !found.includes(name) &&
          (!name.endsWith('mpty') || choices?.some((choice) => columns.includes(choice))),
      );
      expect(others.map(({ name }) => name).filter((name) => name !== 'affiliation')).toEqual([]);
    },
  );
});
