import { fieldsOf, type ResoField } from './fields.ts';

/** A navigation property of Member or Office. */
export interface Navigation {
  name: string;
  target: 'Member' | 'Office';
  /** The path that has the id: of the record itself or, if it leads to many, of the target. */
  path: string;
  isCollection: boolean;
}

/** An entity set that is a resource of the API. */
export interface ResoResource {
  name: 'Member' | 'Office';
  resource: 'agents' | 'offices';
  key: string;
  /** The field that only deactivate and reactivate change. */
  status: string;
  fields: readonly ResoField[];
  byName: ReadonlyMap<string, ResoField>;
  navigation: readonly Navigation[];
}

function resourceOf(parts: Omit<ResoResource, 'fields' | 'byName'>): ResoResource {
  const fields = fieldsOf(parts.resource);
  return { ...parts, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}

const toOne = (name: string, target: Navigation['target'], path: string): Navigation => ({
  ...{ name, target, path },
  isCollection: false,
});

/** The entity sets of records. */
export const resources: Readonly<Record<'Member' | 'Office', ResoResource>> = {
  Member: resourceOf({
    ...{ name: 'Member', resource: 'agents', key: 'MemberKey', status: 'MemberStatus' },
    navigation: [toOne('Office', 'Office', 'officeId')],
  }),
  Office: resourceOf({
    ...{ name: 'Office', resource: 'offices', key: 'OfficeKey', status: 'OfficeStatus' },
    navigation: [
      toOne('MainOffice', 'Office', 'mainOfficeId'),
      toOne('OfficeBroker', 'Member', 'brokerAgentId'),
      toOne('OfficeManager', 'Member', 'managerAgentId'),
      { name: 'Members', target: 'Member', path: 'officeId', isCollection: true },
    ],
  }),
};
