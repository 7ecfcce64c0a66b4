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

const types = {
  'Administration Assistant': 'assistant',
  'Buyer Agent': 'buyer_agent',
  'Lead Manager': 'lead_manager',
  'Listing Agent': 'listing_agent',
  'Marketing Assistant': 'marketing_assistant',
  'Operations Manager': 'operations_manager',
  'Showing Agent': 'showing_agent',
  'Team Lead': 'lead',
  'Team Member': 'member',
  'Transaction Coordinator': 'coordinator',
};

/** Read only: members change with their team. */
export const teamMembers: ResourceDefinition = {
  name: 'TeamMembers',
  resource: 'teams.members',
  key: 'TeamMemberKey',
  status: undefined,
  scopes: { read: 'teams:read', write: undefined },
  names: {
    TeamMemberKey: 'id',
    TeamKey: 'teamId',
    MemberKey: 'agentId',
    TeamMemberType: 'role',
    OriginalEntryTimestamp: 'createdAt',
    ModificationTimestamp: 'updatedAt',
  },
  eventTypes: [],
  days: [],
  lookups: { TeamMemberType: lookup('TeamMemberType', types) },
  openLookups: {},
  navigation: [toOne('Team', 'Teams', 'teamId'), toOne('Member', 'Member', 'agentId')],
};
