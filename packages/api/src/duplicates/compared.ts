import type { ResourceName } from '../directory/registry.ts';

interface PersonNameFields {
  given: string;
  otherGiven: readonly string[];
  family: string;
  suffix: string;
}

/** By their meaning. Telephone fields are known by their type. */
export interface ComparedFields {
  name: { person: PersonNameFields } | { anyOf: readonly string[] };
  emails: readonly string[];
  licenses?: string;
  address?: string;
  numbers: readonly string[];
}

export const comparedFields: Readonly<Record<ResourceName, ComparedFields>> = {
  offices: {
    name: { anyOf: ['name', 'legalName'] },
    emails: ['email'],
    licenses: 'licenses',
    address: 'address',
    numbers: ['mlsId', 'nationalAssociationId'],
  },
  agents: {
    name: {
      person: {
        given: 'firstName',
        otherGiven: ['middleName', 'nickname'],
        family: 'lastName',
        suffix: 'nameSuffix',
      },
    },
    emails: ['email'],
    licenses: 'licenses',
    address: 'address',
    numbers: ['mlsId', 'nationalAssociationId'],
  },
  teams: { name: { anyOf: ['name'] }, emails: ['email'], address: 'address', numbers: ['mlsId'] },
};
