import { msg, plural } from '@lingui/core/macro';
import { UsersRound } from '../icons.tsx';
import type { Labels, ResourceDefinition } from './definition.ts';
import { sharedGroups, sharedLabels } from './shared-labels.ts';

export const memberParts: Labels = {
  agentId: msg`Agent`,
  agentEmail: msg`Agent: email`,
  agentSource: msg`Agent, in the other system`,
  role: msg`Role in the team`,
  title: msg`Role description`,
  since: msg`Since`,
  until: msg`Until`,
};

export const memberRoles: Labels = {
  lead: msg`Team lead`,
  member: msg`Member`,
  assistant: msg`Assistant`,
  buyer_agent: msg`Buyer agent`,
  listing_agent: msg`Listing agent`,
  showing_agent: msg`Showing agent`,
  lead_manager: msg`Lead manager`,
  marketing_assistant: msg`Marketing assistant`,
  operations_manager: msg`Operations manager`,
  coordinator: msg`Transaction coordinator`,
};

export const teams: ResourceDefinition = {
  labels: {
    many: msg`Teams`,
    all: msg`All teams`,
    create: msg`New team`,
    createFirst: msg`Create the first team`,
    search: msg`Search teams`,
    none: msg`No teams match`,
    noneYet: msg`No teams yet`,
    about: msg`A team has a name and members: agents from one or several offices, and an optional lead.`,
    add: msg`Add a team`,
    read: msg`Read teams`,
    change: msg`Change teams`,
    show: msg`View teams`,
    events: msg`Events of teams`,
  },
  counted: (count) => msg`${plural(count, { one: '# team', other: '# teams' })}`,
  icon: UsersRound,
  createIcon: UsersRound,
  keys: 'g m',
  eventLabels: {
    created: msg`Team created`,
    updated: msg`Team changed`,
    deactivated: msg`Team deactivated`,
    reactivated: msg`Team reactivated`,
    deleted: msg`Team deleted`,
    restored: msg`Team restored`,
    purged: msg`Team purged`,
    merged: msg`Merge of a team`,
    change_failed: msg`Scheduled change of a team failed`,
  },
  detailPaths: ['address.city', 'email'],
  fieldLabels: {
    ...sharedLabels,
    name: msg`Name`,
    description: msg`About the team`,
    officeId: msg`Office`,
    members: msg`Members`,
    officePhone: msg`Office phone`,
    officePhoneExt: msg`Extension at the office`,
    mobilePhone: msg`Mobile`,
    directPhone: msg`Direct line`,
    tollFreePhone: msg`Toll-free number`,
    socialLinks: msg`Social networks`,
  },
  groups: [
    { id: 'name', label: msg`Name`, fields: ['name', 'officeId', 'mlsId'] },
    { id: 'members', label: msg`Members`, fields: ['members'] },
    {
      id: 'contact',
      label: msg`Contact`,
      fields: [
        ...['email', 'phone', 'phoneExt', 'officePhone', 'officePhoneExt', 'mobilePhone', 'directPhone'],
        ...['tollFreePhone', 'fax', 'website', 'socialLinks'],
      ],
    },
    { id: 'address', label: msg`Address`, fields: ['address'] },
    { id: 'profile', label: msg`Profile`, fields: ['description'] },
    sharedGroups.origin,
  ],
  usualFields: ['name', 'officeId', 'members', 'phone', 'email'],
};
