/** A field that a new record may have, as the contract of the service describes it. */
export interface ImportField {
  /** `['address', 'city']` */
  path: readonly string[];
  /** What it holds: `list`, `records`, `map` or `object` are not plain text. */
  kind: string;
  choices?: readonly string[] | undefined;
  description: string;
}

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
  /** The fields of a new record, each part of an object after it. */
  fields: readonly ImportField[];
}

type Properties = Omit<Importable, 'fields'>;

const offices: Properties = {
  name: 'offices',
  singular: 'office',
  officeId: 'mainOfficeId',
  officeSource: 'mainOfficeSource',
  agentIds: ['brokerAgentId', 'managerAgentId'],
  isEmailUnique: false,
};

const agents: Properties = {
  name: 'agents',
  singular: 'agent',
  officeId: 'officeId',
  officeSource: 'officeSource',
  officeName: 'officeName',
  agentIds: ['assistantToAgentId'],
  isEmailUnique: true,
};

/** A resource as an import reads it, with its fields from the contract of the service. */
export function createImportable(name: Importable['name'], fields: readonly ImportField[]): Importable {
  return { ...(name === 'offices' ? offices : agents), fields };
}
