import { type ResourceDefinition, toOne } from './definition.ts';
import { lookup } from './lookups.ts';

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
