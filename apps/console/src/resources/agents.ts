import { msg, plural } from '@lingui/core/macro';
import { UserRound, UserRoundPlus } from 'lucide-react';
import type { ResourceDefinition } from './definition.ts';
import { lastColumns, sharedGroups, sharedLabels } from './shared-labels.ts';

/** The people of the directory. */
export const agents: ResourceDefinition = {
  labels: {
    many: msg`Agents`,
    all: msg`All agents`,
    create: msg`New agent`,
    createFirst: msg`Create the first agent`,
    about: msg`Here is everyone in your directory, with their office, telephone and licences. A spreadsheet is the quickest way to begin.`,
    add: msg`Add an agent`,
    read: msg`Read agents`,
    change: msg`Change agents`,
    show: msg`Show the agents`,
    events: msg`Events of agents`,
  },
  counted: (count) => msg`${plural(count, { one: '# agent', other: '# agents' })}`,
  icon: UserRound,
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
  detailPaths: ['office.name', 'email'],
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
    mobilePhone: msg`Mobile telephone`,
    directPhone: msg`Direct line`,
    languages: msg`Languages`,
    designations: msg`Designations`,
    assistantToAgentId: msg`Assistant to`,
    photoUrl: msg`Photo`,
    bio: msg`About the agent`,
  },
  filterLabels: {
    affiliation: {
      label: msg`Office counts as`,
      values: { primary: msg`main office of the agent`, any: msg`any office of the agent` },
    },
  },
  groups: [
    {
      id: 'name',
      label: msg`Name`,
      fields: ['namePrefix', 'firstName', 'middleName', 'lastName', 'nameSuffix', 'nickname', 'displayName'],
    },
    {
      id: 'contact',
      label: msg`Contact`,
      fields: ['email', 'phone', 'phoneExt', 'mobilePhone', 'directPhone', 'fax', 'website'],
    },
    {
      id: 'work',
      label: msg`Offices and work`,
      fields: ['officeId', 'affiliations', 'title', 'type', 'assistantToAgentId'],
    },
    sharedGroups.licences,
    { id: 'address', label: msg`Address`, fields: ['address'] },
    { id: 'profile', label: msg`Profile`, fields: ['languages', 'designations', 'photoUrl', 'bio'] },
    sharedGroups.origin,
  ],
  usualFields: ['phone', 'mobilePhone', 'email', 'officeId', 'title'],
  columns: {
    first: [
      ...['displayName', 'status', 'officeId', 'email', 'phone', 'phoneExt', 'mobilePhone', 'directPhone'],
      ...['fax', 'title', 'type'],
    ],
    last: ['transferredAt', ...lastColumns],
  },
  defaultColumns: [
    'displayName',
    'status',
    'officeId',
    'email',
    'phone',
    'nextLicenseExpiresOn',
    'updatedAt',
  ],
  actions: ['transfer'],
};
