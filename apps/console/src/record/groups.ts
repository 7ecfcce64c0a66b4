import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../contract/contracts.ts';

/** Fields that are shown and edited together. */
export interface FieldGroup {
  /** Also the key of the group. */
  id: string;
  label: MessageDescriptor;
  fields: readonly string[];
}

/** All fields that can be written, in the groups in which a record and its form show them. */
export const groups: Readonly<Record<ResourceName, readonly FieldGroup[]>> = {
  agents: [
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
    {
      id: 'licences',
      label: msg`Licences and numbers`,
      fields: ['licenses', 'mlsId', 'nationalAssociationId'],
    },
    { id: 'address', label: msg`Address`, fields: ['address'] },
    { id: 'profile', label: msg`Profile`, fields: ['languages', 'designations', 'photoUrl', 'bio'] },
    { id: 'other', label: msg`Source and own fields`, fields: ['source', 'metadata'] },
  ],
  offices: [
    {
      id: 'name',
      label: msg`Name`,
      fields: ['name', 'legalName', 'branchType', 'type', 'franchise'],
    },
    {
      id: 'contact',
      label: msg`Contact`,
      fields: ['email', 'phone', 'phoneExt', 'fax', 'website'],
    },
    {
      id: 'structure',
      label: msg`Structure`,
      fields: ['mainOfficeId', 'brokerAgentId', 'managerAgentId'],
    },
    {
      id: 'licences',
      label: msg`Licences and numbers`,
      fields: ['licenses', 'mlsId', 'nationalAssociationId'],
    },
    { id: 'address', label: msg`Place`, fields: ['address', 'mailingAddress', 'timeZone'] },
    { id: 'profile', label: msg`Profile`, fields: ['bio'] },
    { id: 'other', label: msg`Source and own fields`, fields: ['source', 'metadata'] },
  ],
};
