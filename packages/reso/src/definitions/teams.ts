import { resoNames } from '@roster/import/reso-names';
import { eventTypesOf, type ResourceDefinition, toMany, toOne } from './definition.ts';
import { lookup, shared, statuses } from './lookups.ts';

export const teams: ResourceDefinition = {
  name: 'Teams',
  resource: 'teams',
  key: 'TeamKey',
  status: 'TeamStatus',
  scopes: { read: 'teams:read', write: 'teams:write' },
  names: resoNames.teams,
  eventTypes: eventTypesOf('team'),
  days: [],
  lookups: { TeamStatus: lookup('TeamStatus', statuses), TeamCountry: shared.Country },
  openLookups: {
    TeamStateOrProvince: shared.StateOrProvince,
    TeamCountyOrParish: shared.CountyOrParish,
  },
  navigation: [toOne('Office', 'Office', 'officeId'), toMany('TeamMembers', 'TeamMembers', 'teamId')],
};
