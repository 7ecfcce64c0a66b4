import type { ResourceName } from '../../../../api/contract/contracts.ts';
import { contracts } from '../../../../api/contract/contracts.ts';

const byValue: Readonly<Record<string, readonly string[]>> = {
  id: ['ids'],
  affiliations: ['officeId'],
  members: ['agentId'],
  'address.city': ['city'],
  'address.region': ['region'],
  'address.postalCode': ['postalCode'],
  'address.country': ['country'],
  licenses: ['licenseNumber', 'licenseRegion'],
  nextLicenseExpiresOn: ['licenseExpiresSince', 'licenseExpiresBefore'],
  'source.name': ['sourceName'],
  'source.key': ['sourceKey'],
  createdAt: ['createdSince', 'createdBefore'],
  updatedAt: ['updatedSince', 'updatedBefore'],
  deactivatedAt: ['deactivatedSince'],
};

const byEmptiness = ['empty', 'notEmpty'];

export function findColumnFilters(resource: ResourceName, column: string): string[] {
  const { filters } = contracts[resource];
  const byAny = filters.filter(
    ({ name, choices = [] }) =>
      (byValue[column] ?? [column]).includes(name) ||
      (byEmptiness.includes(name) && choices.includes(column)),
  );
  return byAny.map(({ name }) => name);
}
