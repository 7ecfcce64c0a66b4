import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../contract/contracts.ts';

type Labels = Readonly<Record<string, MessageDescriptor>>;

/** What both resources have. */
const common: Labels = {
  id: msg`Id`,
  status: msg`Status`,
  statusReason: msg`Reason of the status`,
  statusChangedAt: msg`Status changed`,
  deactivatedAt: msg`Deactivated`,
  createdAt: msg`Created`,
  updatedAt: msg`Changed`,
  version: msg`Version`,
  type: msg`Type`,
  phone: msg`Telephone`,
  phoneExt: msg`Extension`,
  fax: msg`Fax`,
  email: msg`E-mail`,
  website: msg`Website`,
  mlsId: msg`MLS number`,
  nationalAssociationId: msg`Association number`,
  licenses: msg`Licences`,
  nextLicenseExpiresOn: msg`Next licence expires`,
  address: msg`Address`,
  source: msg`Source`,
  metadata: msg`Own fields`,
  scheduledChanges: msg`Scheduled changes`,
};

/** The labels of the fields of each resource by their names, those that only the service writes included. */
export const fieldLabels: Readonly<Record<ResourceName, Labels>> = {
  offices: {
    ...common,
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
  agents: {
    ...common,
    firstName: msg`First name`,
    lastName: msg`Last name`,
    middleName: msg`Middle name`,
    nickname: msg`Nickname`,
    namePrefix: msg`Title before the name`,
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
};
