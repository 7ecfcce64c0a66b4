import type { AddressColumns, OfficeRow } from '@roster/db';
import type { Expression, RawBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Collection } from '../resources/definition.ts';
import {
  addressJson,
  columnsIn,
  keptShapeOf,
  originJson,
  recordJson,
  type Shape,
  shapeOf,
} from '../resources/json/record-json.ts';
import { columnsOf } from '../resources/write/column-mapping.ts';
import type { Office, OfficeSummary } from './schemas.ts';

const column = columnsIn<OfficeRow>('office');

/** The mailing address has the same parts, in columns with another prefix. */
const mailingColumn = <Name extends keyof Selectable<AddressColumns>>(
  name: Name,
): Expression<string | null> => column(`mailing_${name}`);

/** An office as the API shows it; every query that answers offices selects this expression. */
const officeShape: Shape<Office> = keptShapeOf(
  'office',
  {
    ...recordJson(column),
    name: column('name'),
    legalName: column('legal_name'),
    branchType: column('branch_type'),
    type: column('type'),
    mainOfficeId: column('main_office_id'),
    brokerAgentId: column('broker_agent_id'),
    managerAgentId: column('manager_agent_id'),
    franchise: column('franchise'),
    mlsId: column('mls_id'),
    nationalAssociationId: column('national_association_id'),
    licenses: column('licenses'),
    phone: column('phone'),
    phoneExt: column('phone_ext'),
    fax: column('fax'),
    email: column('email'),
    website: column('website'),
    address: addressJson(column),
    mailingAddress: addressJson(mailingColumn),
    timeZone: column('time_zone'),
    bio: column('bio'),
    ...originJson(column),
  },
  1,
);

/** An office in a few fields, for `expand=office`. */
export const { record: officeSummary }: Shape<OfficeSummary> = shapeOf({
  id: column('id'),
  name: column('name'),
  status: column('status'),
  branchType: column('branch_type'),
  mlsId: column('mls_id'),
  phone: column('phone'),
  email: column('email'),
  timeZone: column('time_zone'),
});

/** What keeps an office from being deleted, by kind. */
function officeDependents(id: string): RawBuilder<Record<string, number>> {
  return sql`json_build_object(
    'agents', (select count(*) from agent where office_id = ${id}),
    'branchOffices', (select count(*) from office where main_office_id = ${id}))`;
}

export const offices: Collection<Office> = {
  name: 'offices',
  table: 'office',
  ...officeShape,
  isVersioned: true,
  nameSort: { key: 'name', column: 'name' },
  orderedWithin: { address_region: 'name' },
  columns: columnsOf,
  dependents: officeDependents,
};
