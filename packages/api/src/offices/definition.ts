import type { OfficeRow } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { ResourceDefinition } from '../resources/definition.ts';
import { jsonShape, recordExpressions, recordShape } from '../resources/json/record-json.ts';
import { recordFields } from '../resources/json/record-sql.ts';
import { type Office, OfficeSummary, officeFields } from './schemas.ts';

export const officeRecord = recordFields<typeof officeFields, OfficeRow>('office', officeFields);

/** The JSON of an office's summary, for `expand=office`. */
export const { record: officeSummary } = jsonShape(
  recordExpressions<OfficeSummary>(officeRecord, Object.keys(OfficeSummary.shape)),
);

/** Counts the records that prevent the deletion of an office, by kind. */
function officeDependents(id: string): RawBuilder<Record<string, number>> {
  return sql`json_build_object(
    'agents', (select count(*) from agent where office_id = ${id}),
    'branchOffices', (select count(*) from office where main_office_id = ${id}))`;
}

export const offices: ResourceDefinition<Office> = {
  name: 'offices',
  ...officeRecord,
  ...recordShape<Office>('office'),
  isVersioned: true,
  nameSort: { key: 'name', column: 'name' },
  orderedIndexes: { address_region: 'name' },
  dependents: officeDependents,
};
