import type { Noun } from '../resources.ts';

/** What an import needs to know of a noun beside its fields. */
export interface Importable {
  name: 'offices' | 'agents';
  singular: string;
  /** The field with the id of an office, and the one that names it by where it came from. */
  officeId: 'mainOfficeId' | 'officeId';
  officeSource: 'mainOfficeSource' | 'officeSource';
  /** The field that names the office by its name, where there is one. */
  officeName?: 'officeName';
  /** Fields with ids of agents. */
  agentIds: readonly string[];
  /** Whether two records may not have one e-mail address. */
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

/** What can be imported and exported. */
export const importables: readonly Importable[] = [offices, agents];

/** How a noun is imported; undefined for one that is not. */
export function importableOf({ name }: Pick<Noun, 'name'>): Importable | undefined {
  return importables.find((importable) => importable.name === name);
}
