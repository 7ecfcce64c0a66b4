import { constant, type OfficeRow } from '@roster/db';
import { sql } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import {
  type JsonShape,
  jsonShape,
  jsonShapeOf,
  recordExpressions,
  recordShape,
} from '../../engine/json/record-json.ts';
import { recordFields } from '../../engine/json/record-sql.ts';
import { isAnyId } from '../../engine/list/filters.ts';
import { isWithin } from '../../engine/office-limit.ts';
import { eventVerbs } from '../../engine/outbox/event-outbox.ts';
import { licenseExpirySql, licenseFilters, licenseSort, searchedLicenses } from '../licenses.ts';
import {
  ImportedOffice,
  type ListedOffice,
  NewOffice,
  Office,
  OfficeQuery,
  OfficeSummary,
  officeFields,
  officeFilterFields,
} from './schemas.ts';

/** The expiry of licences has no column. */
type StoredAsGiven = Omit<typeof officeFields, 'nextLicenseExpiresOn'>;

const officeRecord = recordFields<StoredAsGiven, OfficeRow>('office', officeFields, {
  expressions: { nextLicenseExpiresOn: licenseExpirySql },
  searchedAlso: [searchedLicenses],
});

export const { record: officeSummary } = jsonShape(
  recordExpressions<OfficeSummary>(officeRecord, Object.keys(OfficeSummary.shape)),
);

const counted = {
  affiliations: sql`agent_affiliation where affiliated_office_id = office.id`,
  branches: sql`office as branch where branch.main_office_id = office.id`,
};

/** Each count uses only an index. */
const withCounts = ({ affiliations, branches } = counted) => ({
  ...recordExpressions<Office>(officeRecord),
  counts: sql<ListedOffice['counts']>`(
    select json_build_object(
      'agents', json_build_object('active', agents - inactive, 'inactive', inactive),
      'affiliatedAgents', affiliated, 'branches', branches)
    from
      (select count(*) as agents from agent where office_id = office.id) as all_agents,
      (select count(*) as inactive from agent where office_id = office.id and status = 'inactive') as inactive_agents,
      (select count(*) as affiliated from ${affiliations}) as affiliations,
      (select count(*) as branches from ${branches}) as branch_offices)`,
});

const officeWithCounts: JsonShape<ListedOffice> = constant({
  ...jsonShape(withCounts()),
  // Agents of a visible office are visible; affiliated ones may not be.
  limited: (offices) =>
    jsonShapeOf(
      withCounts({
        affiliations: sql`agent_affiliation join agent on agent.id = agent_affiliation.agent_id
          where affiliated_office_id = office.id and ${isWithin(sql.ref('agent.office_id'), offices)}`,
        branches: sql`${counted.branches} and ${isWithin(sql.ref('branch.id'), offices)}`,
      }),
    ),
});

const agent = { table: 'agent', limitColumn: 'office_id' };

export const offices = constant({
  name: 'offices',
  texts: {
    schema: 'Office',
    one: 'an office',
    title: 'Offices',
    description: 'The offices of the organisation (RESO Office)',
  },
  schemas: {
    record: Office,
    created: NewOffice,
    imported: ImportedOffice,
    query: OfficeQuery,
    filters: officeFilterFields,
  },
  nameField: 'name',
  nameParts: ['name'],
  countFields: ['counts.agents.active', 'counts.branches'],
  listFields: ['name', 'status', 'address.city', 'email', 'phone'],
  usualColumns: ['name', 'address.city', 'phone', 'email', 'counts.agents'],
  ...officeRecord,
  fields: officeFields,
  table: 'office',
  ...recordShape<Office>('office'),
  isVersioned: true,
  nameSort: 'name',
  computedSorts: licenseSort,
  filters: {
    ...licenseFilters,
    mainOfficeId: (values: string[]) => isAnyId('main_office_id', values),
  },
  searchedPaths: ['licenses.*.number'],
  orderedIndexes: { address_region: 'name', address_city: 'name' },
  isWithin: (offices) => isWithin(sql.ref('office.id'), offices),
  limit: { column: 'id', rule: 'an office must be below one of them' },
  parent: { column: 'main_office_id', field: 'mainOfficeId', isTree: true, mustBeActive: false },
  references: {
    main_office_id: { table: 'office', limitColumn: 'id', countedAs: 'branchOffices' },
    broker_agent_id: { ...agent, countedAs: 'brokerOf' },
    manager_agent_id: { ...agent, countedAs: 'managerOf' },
  },
  uniqueBy: ['source'],
  eventVerbs,
  expansions: { counts: { shape: officeWithCounts, resource: 'agents' } },
  ruleErrors: {
    create: ['source_taken', 'reference_not_found'],
    change: ['source_taken', 'office_cycle', 'reference_not_found'],
    reactivate: [],
    merge: ['office_inactive', 'office_cycle'],
  },
} as const satisfies ResourceDefinition<Office>);
