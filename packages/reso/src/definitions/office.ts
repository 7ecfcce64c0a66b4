import { resoNames } from '@roster/import/reso-names';
import { eventTypesOf, type ResourceDefinition, toMany, toOne } from './definition.ts';
import { lookup, openLookup, shared, statuses } from './lookups.ts';

const types = [
  'Affiliate',
  'Appraiser',
  'Association',
  'MLS',
  'MLS Only Branch',
  'MLS Only Firm',
  'MLS Only Office',
  'Non Member/Vendor',
  'Realtor Branch Office',
  'Realtor Firm',
  'Realtor Office',
];

const branchTypes = { Branch: 'branch', Main: 'main', 'Stand Alone': 'stand_alone' };

export const office: ResourceDefinition = {
  name: 'Office',
  resource: 'offices',
  key: 'OfficeKey',
  status: 'OfficeStatus',
  scopes: { read: 'offices:read', write: 'offices:write' },
  names: resoNames.offices,
  eventTypes: eventTypesOf('office'),
  days: [],
  lookups: {
    OfficeStatus: lookup('OfficeStatus', statuses),
    OfficeBranchType: lookup('OfficeBranchType', branchTypes),
    OfficeCountry: shared.Country,
  },
  openLookups: {
    OfficeType: openLookup('OfficeType', types),
    OfficeStateOrProvince: shared.StateOrProvince,
    OfficeCountyOrParish: shared.CountyOrParish,
  },
  navigation: [
    toOne('MainOffice', 'Office', 'mainOfficeId'),
    toOne('OfficeBroker', 'Member', 'brokerAgentId'),
    toOne('OfficeManager', 'Member', 'managerAgentId'),
    toMany('Members', 'Member', 'officeId'),
  ],
};
