import type { OfficeRow } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { ResourceDefinition } from '../resources/definition.ts';
import { type JsonShape, jsonShape, recordExpressions, recordShape } from '../resources/json/record-json.ts';
import { recordFields } from '../resources/json/record-sql.ts';
import { licenseExpirySql } from '../resources/list/license-expiry.ts';
import type { Listable } from '../resources/list/list-records.ts';
import { type ListedOffice, type Office, OfficeSummary, officeFields } from './schemas.ts';

/** The expiry of licences has no column. */
type StoredAsGiven = Omit<typeof officeFields, 'nextLicenseExpiresOn'>;

export const officeRecord = recordFields<StoredAsGiven, OfficeRow>('office', officeFields, {
  nextLicenseExpiresOn: licenseExpirySql,
});

/** The JSON of an office's summary, for `expand=office`. */
export const { record: officeSummary } = jsonShape(
  recordExpressions<OfficeSummary>(officeRecord, Object.keys(OfficeSummary.shape)),
);

/** An office with the counts of its agents and branches, in the same statement; each is read from an index alone. */
export const officeWithCounts: JsonShape<ListedOffice> = jsonShape({
  ...recordExpressions<Office>(officeRecord),
  counts: sql<ListedOffice['counts']>`(
    select json_build_object(
      'agents', json_build_object('active', agents - inactive, 'inactive', inactive),
      'affiliatedAgents', affiliated, 'branches', branches)
    from
      (select count(*) as agents from agent where office_id = office.id) as all_agents,
      (select count(*) as inactive from agent where office_id = office.id and status = 'inactive') as inactive_agents,
      (select count(*) as affiliated from agent_affiliation where affiliated_office_id = office.id) as affiliations,
      (select count(*) as branches from office as branch where branch.main_office_id = office.id) as branch_offices)`,
});

/** Counts the records that prevent the deletion of an office, by kind. */
function officeDependents(id: string): RawBuilder<Record<string, number>> {
  return sql`json_build_object(
    'agents', (select count(*) from agent where office_id = ${id}),
    'affiliatedAgents', (select count(*) from agent_affiliation where affiliated_office_id = ${id}),
    'branchOffices', (select count(*) from office where main_office_id = ${id}))`;
}

export const offices: ResourceDefinition<Office> = {
  name: 'offices',
  nameField: 'name',
  ...officeRecord,
  ...recordShape<Office>('office'),
  isVersioned: true,
  nameSort: { key: 'name', column: 'name' },
  orderedIndexes: { address_region: 'name' },
  dependents: officeDependents,
};

/** Offices with their counts. They are read without a version: the counts change without a new one. */
export const countedOffices: Listable<ListedOffice> & Pick<ResourceDefinition, 'table'> = {
  name: 'offices with counts',
  table: 'office',
  nameSort: offices.nameSort,
  record: officeWithCounts.record,
};
