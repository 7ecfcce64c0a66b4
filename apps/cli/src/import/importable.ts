import type { Resource } from '../resources.ts';

/** The properties in which the imports of resources differ. */
export interface Importable {
  name: 'offices' | 'agents';
  singular: string;
  /** The field with the id of an office, and the one with its source. */
  officeId: 'mainOfficeId' | 'officeId';
  officeSource: 'mainOfficeSource' | 'officeSource';
  /** The field with the name of the office, if there is one. */
  officeName?: 'officeName';
  /** Fields with ids of agents. */
  agentIds: readonly string[];
  /** Whether e-mail addresses are unique. */
  isEmailUnique: boolean;
}

const offices: Importable = {
  name: 'offices',
  singular: 'office',
  officeId: 'mainOfficeId',
  officeSource: 'mainOfficeSource',
  agentIds: ['brokerAgentId', 'managerAgentId'],
  isEmailUnique: false,
};

const agents: Importable = {
  name: 'agents',
  singular: 'agent',
  officeId: 'officeId',
  officeSource: 'officeSource',
  officeName: 'officeName',
  agentIds: ['assistantToAgentId'],
  isEmailUnique: true,
};

/** The resources that can be imported and exported. */
export const importables: readonly Importable[] = [offices, agents];

/** Looks up an importable resource; undefined if it cannot be imported. */
export function importableOf({ name }: Pick<Resource, 'name'>): Importable | undefined {
  return importables.find((importable) => importable.name === name);
}
