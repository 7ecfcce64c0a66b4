import { agents } from '../agents/definition.ts';
import { offices } from '../offices/definition.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { columnsOf } from '../resources/fields/columns.ts';
import { writtenFields } from '../resources/fields/shapes.ts';

/** What an import needs to know of a resource. */
export interface ImportDefinition {
  resource: ResourceDefinition;
  /** Every column a record may write. */
  columns: string[];
  /** What lists hold in a record that says nothing of them. */
  empty: Record<string, unknown>;
  /** The field that holds the id of an office, and the fields that name it in another way. */
  officeField: 'officeId' | 'mainOfficeId';
  officeNames: Record<string, 'source' | 'sourceKey' | 'name'>;
  /** The field with affiliations, whose offices have to exist and, if they are new, to be active. */
  affiliationsField?: 'affiliations';
  /** Fields that hold the id of an agent. */
  agentFields: string[];
  /** Whether the record is rejected if its office is inactive. */
  isOfficeToBeActive: boolean;
  /** The fields that make the name of a record, in its order; every record of an import has them. */
  nameFields: readonly string[];
  /** Whether an e-mail address is that of one record alone. */
  isEmailUnique: boolean;
}

/** The columns of every field that can be written, and the lists, which are empty in a record that does not name them. */
function writtenBy({ fields }: ResourceDefinition) {
  const written = writtenFields(fields);
  const lists = written.filter(([, { storage }]) => storage === 'text[]' || storage === 'jsonb');
  return {
    columns: written.flatMap(([name, field]) => columnsOf(name, field)),
    empty: Object.fromEntries(lists.map(([name]) => [name, []])),
  };
}

export const importedOffices: ImportDefinition = {
  resource: offices,
  ...writtenBy(offices),
  officeField: 'mainOfficeId',
  officeNames: { mainOfficeSource: 'source', mainOfficeSourceKey: 'sourceKey' },
  agentFields: ['brokerAgentId', 'managerAgentId'],
  isOfficeToBeActive: false,
  nameFields: ['name'],
  isEmailUnique: false,
};

export const importedAgents: ImportDefinition = {
  resource: agents,
  ...writtenBy(agents),
  officeField: 'officeId',
  officeNames: { officeSource: 'source', officeSourceKey: 'sourceKey', officeName: 'name' },
  affiliationsField: 'affiliations',
  agentFields: ['assistantToAgentId'],
  isOfficeToBeActive: true,
  nameFields: ['firstName', 'lastName'],
  isEmailUnique: true,
};
