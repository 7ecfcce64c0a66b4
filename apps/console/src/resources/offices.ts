import { msg, plural } from '@lingui/core/macro';
import { Building2 } from '../icons.tsx';
import type { ResourceDefinition } from './definition.ts';
import { lastColumns, sharedGroups, sharedLabels } from './shared-labels.ts';

export const offices: ResourceDefinition = {
  labels: {
    many: msg`Offices`,
    all: msg`All offices`,
    create: msg`New office`,
    createFirst: msg`Create the first office`,
    search: msg`Search offices`,
    none: msg`No offices match`,
    noneYet: msg`No offices yet`,
    about: msg`This page lists the offices in your directory, with their addresses, branches and agents. The quickest way to start is to import a spreadsheet.`,
    add: msg`Add an office`,
    read: msg`Read offices`,
    change: msg`Change offices`,
    show: msg`View offices`,
    events: msg`Events of offices`,
  },
  counted: (count) => msg`${plural(count, { one: '# office', other: '# offices' })}`,
  icon: Building2,
  createIcon: Building2,
  keys: 'g o',
  eventLabels: {
    created: msg`Office created`,
    updated: msg`Office changed`,
    deactivated: msg`Office deactivated`,
    reactivated: msg`Office reactivated`,
    deleted: msg`Office deleted`,
    restored: msg`Office restored`,
    purged: msg`Office purged`,
    license_expiring: msg`Licence of an office expires`,
    merged: msg`Merge of an office`,
    change_failed: msg`Scheduled change of an office failed`,
  },
  detailPaths: ['address.city', 'mlsId'],
  fieldLabels: {
    ...sharedLabels,
    name: msg`Name`,
    legalName: msg`Legal name`,
    branchType: msg`Kind of office`,
    mainOfficeId: msg`Main office`,
    brokerAgentId: msg`Broker`,
    managerAgentId: msg`Manager`,
    franchise: msg`Franchise`,
    mailingAddress: msg`Mailing address`,
    timeZone: msg`Time zone`,
    bio: msg`About the office`,
  },
  groups: [
    {
      id: 'name',
      label: msg`Name`,
      fields: ['name', 'legalName', 'branchType', 'type', 'franchise'],
      isFolded: true,
    },
    { id: 'contact', label: msg`Contact`, fields: ['email', 'phone', 'phoneExt', 'fax', 'website'] },
    { id: 'structure', label: msg`Structure`, fields: ['mainOfficeId', 'brokerAgentId', 'managerAgentId'] },
    sharedGroups.licences,
    { id: 'address', label: msg`Place`, fields: ['address', 'mailingAddress', 'timeZone'] },
    { id: 'profile', label: msg`Profile`, fields: ['bio'] },
    sharedGroups.origin,
  ],
  usualFields: ['phone', 'email', 'website', 'mainOfficeId'],
  columns: {
    first: [
      ...['name', 'status', 'address.city', 'email', 'phone', 'phoneExt', 'fax'],
      ...['counts.agents', 'counts.affiliatedAgents', 'counts.branches', 'legalName', 'branchType', 'type'],
    ],
    last: lastColumns,
  },
  relations: {
    'agents.officeId': {
      countOf: ({ agents, affiliatedAgents }) => agents.active + agents.inactive + affiliatedAgents,
    },
    'offices.mainOfficeId': { label: msg`Branches`, countOf: ({ branches }) => branches },
  },
  actions: ['transferAgents'],
  cascades: true,
};

export const isOffice = (resource: string) => resource === 'offices';
