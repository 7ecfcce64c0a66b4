import type { ResourceName } from '../../contract/contracts.ts';
import { contracts } from '../../contract/contracts.ts';

/** The filters by the value of a column, as the API names them, where that is not the name of the column. */
const byValue: Readonly<Record<string, readonly string[]>> = {
  id: ['ids'],
  affiliations: ['officeId'],
  members: ['agentId'],
  'address.city': ['city'],
  'address.region': ['region'],
  'address.country': ['country'],
  licenses: ['licenseNumber'],
  nextLicenseExpiresOn: ['licenseExpiresSince', 'licenseExpiresBefore'],
  'source.name': ['sourceName'],
  'source.key': ['sourceKey'],
  createdAt: ['createdSince', 'createdBefore'],
  updatedAt: ['updatedSince', 'updatedBefore'],
  deactivatedAt: ['deactivatedSince'],
};

/** The filters by whether a column has a value. */
const byEmptiness = ['empty', 'notEmpty'];

/** The filters of a list by what a column shows; none if the API has none. */
export function findColumnFilters(resource: ResourceName, column: string): string[] {
  const { filters } = contracts[resource];
  const byAny = filters.filter(
    ({ name, choices = [] }) =>
      (byValue[column] ?? [column]).includes(name) ||
      (byEmptiness.includes(name) && choices.includes(column)),
  );
  return byAny.map(({ name }) => name);
}
