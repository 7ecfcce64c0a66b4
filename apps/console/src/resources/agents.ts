import { msg, plural } from '@lingui/core/macro';
import { UserRound, UserRoundPlus } from '../icons.tsx';
import type { ResourceDefinition } from './definition.ts';
import { lastColumns, sharedGroups, sharedLabels } from './shared-labels.ts';

export const agents: ResourceDefinition = {
  labels: {
    many: msg`Agents`,
    all: msg`All agents`,
    create: msg`New agent`,
    createFirst: msg`Create the first agent`,
    search: msg`Search agents`,
    none: msg`No agents match`,
    noneYet: msg`No agents yet`,
    about: msg`This page lists the people in your directory, with their offices, phone numbers and licences. The quickest way to start is to import a spreadsheet.`,
    add: msg`Add an agent`,
    read: msg`Read agents`,
    change: msg`Change agents`,
    show: msg`View agents`,
    events: msg`Events of agents`,
  },
  counted: (count) => msg`${plural(count, { one: '# agent', other: '# agents' })}`,
  icon: UserRound,
  isPerson: true,
  createIcon: UserRoundPlus,
  keys: 'g a',
  eventLabels: {
    created: msg`Agent created`,
    updated: msg`Agent changed`,
    deactivated: msg`Agent deactivated`,
    reactivated: msg`Agent reactivated`,
    deleted: msg`Agent deleted`,
    restored: msg`Agent restored`,
    purged: msg`Agent purged`,
    transferred: msg`Agent transferred`,
    license_expiring: msg`Licence of an agent expires`,
    merged: msg`Merge of an agent`,
    change_failed: msg`Scheduled change of an agent failed`,
  },
  detailPaths: ['office.name', 'title', 'mlsId', 'email'],
  fieldLabels: {
    ...sharedLabels,
    firstName: msg`First name`,
    lastName: msg`Last name`,
    middleName: msg`Middle name`,
    nickname: msg`Nickname`,
    namePrefix: msg`Honorific`,
    nameSuffix: msg`Suffix`,
    displayName: msg`Display name`,
    title: msg`Job title`,
    officeId: msg`Office`,
    affiliations: msg`Affiliations`,
    transferredAt: msg`Transferred`,
    mobilePhone: msg`Mobile`,
    directPhone: msg`Direct line`,
    languages: msg`Languages`,
    designations: msg`Designations`,
    assistantToAgentId: msg`Assistant to`,
    photoUrl: msg`Photo`,
    bio: msg`About the agent`,
  },
  filterLabels: {
    affiliation: {
      label: msg`Include branches and affiliates`,
      values: { primary: msg`main office of the agent`, any: msg`any office of the agent` },
    },
  },
  groups: [
    {
      id: 'name',
      label: msg`Name`,
      fields: ['namePrefix', 'firstName', 'middleName', 'lastName', 'nameSuffix', 'nickname', 'displayName'],
      isFolded: true,
    },
    {
      id: 'contact',
      label: msg`Contact`,
      fields: ['mobilePhone', 'email', 'phone', 'phoneExt', 'directPhone', 'fax', 'languages', 'website'],
    },
    sharedGroups.licences,
    {
      id: 'work',
      label: msg`Offices and teams`,
      fields: ['officeId', 'affiliations', 'title', 'type', 'assistantToAgentId'],
    },
    { id: 'address', label: msg`Address`, fields: ['address'] },
    { id: 'profile', label: msg`Profile`, fields: ['designations', 'photoUrl', 'bio'] },
    sharedGroups.origin,
  ],
  usualFields: ['phone', 'mobilePhone', 'email', 'officeId', 'title'],
  columns: {
    first: [
      ...['displayName', 'officeId', 'address.city', 'phone', 'email', 'nextLicenseExpiresOn', 'status'],
      ...['title', 'mobilePhone', 'directPhone', 'phoneExt', 'fax', 'type'],
    ],
    last: ['transferredAt', ...lastColumns],
  },
  actions: ['transfer'],
};

export const isAgent = (resource: string) => resource === 'agents';
