import { agents } from '../agents/definition.ts';
import { NewAgent } from '../agents/schemas.ts';
import { offices } from '../offices/definition.ts';
import { NewOffice } from '../offices/schemas.ts';
import type { Collection } from '../resources/definition.ts';
import { valuesOf } from '../resources/write/column-mapping.ts';

/** What an import needs to know of a noun beside its collection. */
export interface ImportedNoun {
  collection: Collection;
  /** Every column a record may write. */
  columns: string[];
  /** What lists hold in a record that says nothing of them. */
  empty: Record<string, unknown>;
  /** The field that holds the id of an office, and the fields that name it in another way. */
  officeField: 'officeId' | 'mainOfficeId';
  officeNames: Record<string, 'source' | 'sourceKey' | 'name'>;
  /** Fields that hold the id of an agent. */
  agentFields: string[];
  /** Whether an inactive office refuses the record. */
  isOfficeToBeActive: boolean;
  /** Whether an e-mail address is that of one record alone. */
  isEmailUnique: boolean;
}

/** The columns of every field, and the values of those that are lists; read off the schema that creates a record. */
function writtenBy({ shape }: typeof NewOffice | typeof NewAgent) {
  const cleared = Object.fromEntries(Object.keys(shape).map((field) => [field, null]));
  const lists = Object.entries(shape).flatMap(([field, schema]) => {
    const { data } = schema.safeParse(null);
    return Array.isArray(data) ? [[field, data]] : [];
  });
  return { columns: Object.keys(valuesOf(cleared)), empty: Object.fromEntries(lists) };
}

export const importedOffices: ImportedNoun = {
  collection: offices,
  ...writtenBy(NewOffice),
  officeField: 'mainOfficeId',
  officeNames: { mainOfficeSource: 'source', mainOfficeSourceKey: 'sourceKey' },
  agentFields: ['brokerAgentId', 'managerAgentId'],
  isOfficeToBeActive: false,
  isEmailUnique: false,
};

export const importedAgents: ImportedNoun = {
  collection: agents,
  ...writtenBy(NewAgent),
  officeField: 'officeId',
  officeNames: { officeSource: 'source', officeSourceKey: 'sourceKey', officeName: 'name' },
  agentFields: ['assistantToAgentId'],
  isOfficeToBeActive: true,
  isEmailUnique: true,
};
