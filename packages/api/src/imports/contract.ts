import type { RecordContract } from '@roster/fields';
import { forEachResource, type ResourceName } from '../directory/registry.ts';
import { contractOf } from '../records/contract.ts';
import { importRules } from './rules.ts';

function byKind<Kind extends string>(names: Readonly<Record<string, Kind>>): Partial<Record<Kind, string>> {
  return Object.fromEntries(Object.entries(names).map(([field, kind]) => [kind, field])) as Partial<
    Record<Kind, string>
  >;
}

/** The contract of each resource, with the columns of files that name other records. */
export function recordContracts(): Record<ResourceName, RecordContract> {
  return forEachResource<Record<ResourceName, RecordContract>>((definition): RecordContract => {
    const { officeNames = {}, itemRows } = importRules[definition.name];
    const { source, name } = byKind(officeNames);
    return {
      ...contractOf(definition),
      ...(source !== undefined && { parentNames: { source, ...(name !== undefined && { name }) } }),
      ...(itemRows !== undefined && { itemRows: { field: itemRows.field, names: byKind(itemRows.names) } }),
    };
  });
}
