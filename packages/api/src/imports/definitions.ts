import { type DirectoryResource, forEachResource, type ResourceName } from '../directory/registry.ts';
import type { Reference, ResourceDefinition } from '../engine/definition.ts';
import { columnOf, columnsOf } from '../engine/fields/columns.ts';
import { writtenFields } from '../engine/fields/shapes.ts';
import { type ImportRules, importRules } from './rules.ts';

/** A resource with all that imports read of its definition. */
export interface ImportDefinition extends ImportRules {
  resource: ResourceDefinition;
  nameFields: readonly string[];
  /** Every column a record may write. */
  columns: string[];
  /** The values of lists in a record that does not mention them. */
  empty: Record<string, unknown>;
  /** The field that holds the id of an office; undefined if records belong to none. */
  officeField: string | undefined;
  officeNames: NonNullable<ImportRules['officeNames']>;
  /** The other fields that hold the id of a record, or a list of ids, with the table. */
  references: readonly (Reference & { field: string })[];
  /** Whether the record is rejected if its office is inactive. */
  isOfficeToBeActive: boolean;
  /** Whether the records are offices, which are below each other over no circle. */
  isTree: boolean;
  /** Whether an email address is that of one record alone. */
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

/** The fields with the id of a record that is not the parent, or with a list of such ids that are no affiliations. */
function otherReferences({
  fields,
  references,
  parent,
  name,
}: DirectoryResource): ImportDefinition['references'] {
  const own = [parent?.field, importRules[name].affiliationsField];
  return Object.keys(fields).flatMap((field) => {
    const reference = references[columnOf(field)];
    return reference === undefined || own.includes(field) ? [] : [{ ...reference, field }];
  });
}

function importDefinitionOf(resource: DirectoryResource): ImportDefinition {
  return {
    resource,
    ...writtenBy(resource),
    officeNames: {},
    ...importRules[resource.name],
    nameFields: resource.nameParts,
    officeField: resource.parent?.field,
    references: otherReferences(resource),
    isOfficeToBeActive: resource.parent?.mustBeActive === true,
    isTree: resource.parent?.isTree === true,
    isEmailUnique: resource.uniqueBy.includes('email'),
  };
}

export const importDefinitions = forEachResource<Record<ResourceName, ImportDefinition>>(importDefinitionOf);
