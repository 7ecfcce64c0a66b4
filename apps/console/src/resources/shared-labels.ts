import { msg } from '@lingui/core/macro';
import type { FieldGroup, Labels } from './definition.ts';

export const sharedLabels: Labels = {
  id: msg`ID`,
  status: msg`Status`,
  statusReason: msg`Reason for the status`,
  statusChangedAt: msg`Status changed`,
  deactivatedAt: msg`Deactivated`,
  createdAt: msg({ message: 'Created', context: 'time' }),
  updatedAt: msg({ message: 'Changed', context: 'time' }),
  version: msg`Version`,
  type: msg`Type`,
  phone: msg`Phone`,
  phoneExt: msg`Extension`,
  fax: msg`Fax`,
  email: msg`Email`,
  website: msg`Website`,
  mlsId: msg`MLS number`,
  nationalAssociationId: msg`Association number`,
  licenses: msg`Licences`,
  nextLicenseExpiresOn: msg`Next licence expires`,
  address: msg`Address`,
  source: msg`Record in another system`,
  metadata: msg`Custom fields`,
  scheduledChanges: msg`Scheduled changes`,
};

/** The buttons that add an item to a field. */
export const addLabels: Labels = {
  licenses: msg`Add licence`,
  affiliations: msg`Add affiliation`,
  members: msg`Add member`,
  languages: msg`Add language`,
  designations: msg`Add designation`,
  socialLinks: msg`Add social network`,
  metadata: msg`Add custom field`,
};

export const sharedGroups: Readonly<Record<'licences' | 'origin', FieldGroup>> = {
  licences: {
    id: 'licences',
    label: msg`Licences and numbers`,
    fields: ['licenses', 'mlsId', 'nationalAssociationId'],
  },
  origin: {
    id: 'origin',
    label: msg`Other system and custom fields`,
    fields: ['source', 'metadata'],
    isFolded: true,
  },
};

export const lastColumns: readonly string[] = [
  'nextLicenseExpiresOn',
  'createdAt',
  'updatedAt',
  'statusChangedAt',
  'statusReason',
  'deactivatedAt',
  'scheduledChanges',
  'version',
  'id',
];
