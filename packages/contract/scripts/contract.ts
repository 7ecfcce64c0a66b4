import {
  forms,
  inHeaders,
  neededScopes,
  notBlank,
  operations,
  rpcOnly,
  type Operation as ServiceOperation,
  withoutNul,
} from '@roster/api';
import { appRouter, decodedSchema, definitions, definitionsOf } from '@roster/api/server';
import type { z } from 'zod';
import type { Field, Kind, Operation, RecordContract } from '../src/field.ts';
import { readFields } from './fields.ts';
import { jsonSchemaOf, resolve, type Schema } from './json-schema.ts';
import { withReferences } from './references.ts';

const procedures = new Map(definitionsOf(appRouter).map(({ name, definition }) => [name, definition]));

/** The documentation and the output of a procedure. */
function documentedOf(procedure: string) {
  const { meta, output } = procedures.get(procedure) ?? {};
  if (meta?.openapi === undefined) throw new Error(`There is no operation ${procedure}`);
  return { ...meta.openapi, output };
}

/** The patterns that the limits of a text say too, and those that the service says in words. */
const patternsOfTexts: readonly string[] = [notBlank, withoutNul, ...Object.values(forms)];

/** The patterns of the kinds that have been read. */
const patterns = new Map<Kind, string>();

/** The fields of an input or an output of a resource. */
function fieldsIn(type: z.ZodType, io: 'input' | 'output', resource: string): Field[] {
  const { $defs = {}, ...schema } = jsonSchemaOf(type, io);
  const fields = readFields(schema, { definitions: $defs, ignoredPatterns: patternsOfTexts, patterns });
  return withReferences(fields, resource);
}

/** The schemas of the records in a response: of the record, or of the items of a page; of all variants. */
function answeredRecords(output: z.ZodType | undefined): Schema[] {
  if (output === undefined) return [];
  const schema = jsonSchemaOf(decodedSchema(output), 'output');
  const resolved = (one: Schema | undefined) => resolve(one ?? {}, schema.$defs ?? {});
  const answer = resolved(schema);
  const items = answer.properties?.items;
  const record = items === undefined ? answer : resolved(resolved(items).items);
  return (record.oneOf ?? record.anyOf ?? [record]).map(resolved);
}

function namesIn(schemas: readonly Schema[]): string[] {
  return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function operationOf(operation: ServiceOperation): Operation {
  const { summary, description, output } = documentedOf(operation.procedure);
  const [resource = ''] = operation.procedure.split('.');
  const fields = fieldsIn(operation.input, 'input', resource);
  const scopes = [operation.scope, ...operation.orScopes].filter((scope) => scope !== undefined);
  const isInPath = ({ name }: Field) => operation.pathParameters.includes(name);
  return {
    summary,
    description: `${description} ${neededScopes(scopes)}`,
    fields: fields.filter((field) => !isInPath(field) && !rpcOnly.includes(field.name)),
    pathParameters: fields.filter(isInPath),
    conditions: fields.filter(({ name }) => inHeaders.includes(name)),
    answers: namesIn(answeredRecords(output)),
    ...(operation.type === 'query' && { isQuery: true as const }),
    ...(operation.isRepeatable && { isRepeatable: true as const }),
  };
}

/** The parameters of a list that are no filters. */
const pageParameters: readonly string[] = [
  'limit',
  'cursor',
  'startAt',
  'includeTotal',
  'highlight',
  'expand',
  'sort',
  'q',
];

/** The values of a field of an operation; none if there is no such field. */
function choicesOf({ fields }: Operation, name: string): string[] {
  return fields.find((field) => field.name === name)?.choices ?? [];
}

/** The names of fields, by what they name a record with. */
function byKind<Kind extends string>(names: Readonly<Record<string, Kind>>): Partial<Record<Kind, string>> {
  return Object.fromEntries(Object.entries(names).map(([field, kind]) => [kind, field])) as Partial<
    Record<Kind, string>
  >;
}

/** The fields of an import that name the parent, by what they name it with. */
function namesOfParent(
  officeNames: Readonly<Record<string, 'source' | 'sourceKey' | 'name'>>,
): RecordContract['parentNames'] {
  const { source = '', name } = byKind(officeNames);
  return { source, ...(name !== undefined && { name }) };
}

function recordOf(
  { list, create }: { list: Operation; create: Operation },
  definition: (typeof definitions)[number],
): RecordContract {
  const {
    name,
    table,
    schemas,
    nameField,
    nameSort,
    listFields,
    countFields = [],
    parent,
    uniqueBy,
    imports,
  } = definition;
  const { itemRows } = imports;
  const read = new Map(fieldsIn(schemas.record, 'output', name).map((field) => [field.name, field]));
  const written = create.fields.map((field): Field => {
    const isAlwaysSet = field.isNullable === true && read.get(field.name)?.isNullable !== true;
    return { ...field, ...(isAlwaysSet && { isAlwaysSet }) };
  });
  for (const field of written) read.delete(field.name);
  const readOnly = Array.from(read.values(), ({ isRequired: _, ...field }): Field => {
    return { ...field, isReadOnly: true };
  });
  return {
    singular: table,
    nameField,
    nameSort: nameSort.key,
    listFields: [...listFields],
    countFields: [...countFields],
    parentField: parent.field,
    parentNames: namesOfParent(imports.officeNames),
    ...(itemRows !== undefined && {
      itemRows: { field: itemRows.field, names: byKind(itemRows.names) },
    }),
    uniqueBy: [...uniqueBy],
    fields: [...written, ...readOnly],
    filters: list.fields.filter((field) => !pageParameters.includes(field.name)),
    sorts: choicesOf(list, 'sort'),
    expansions: choicesOf(list, 'expand'),
  };
}

/**
 * The contract: all operations by the names of their procedures, the patterns that texts of some kinds match, and by resource the
 * records of the directory and their patches.
 */
export function contracts(): {
  operations: Record<string, Operation>;
  patterns: Partial<Record<Kind, string>>;
  records: Record<string, RecordContract>;
  patches: Record<string, Field[]>;
} {
  const all = new Map(operations.map((operation) => [operation.procedure, operationOf(operation)]));
  const operation = (procedure: string) => {
    const found = all.get(procedure);
    if (found === undefined) throw new Error(`There is no operation ${procedure}`);
    return found;
  };
  const records = definitions.map((definition) => {
    const { name } = definition;
    const own = { list: operation(`${name}.list`), create: operation(`${name}.create`) };
    return [name, recordOf(own, definition)];
  });
  return {
    operations: Object.fromEntries(all),
    patterns: Object.fromEntries(patterns),
    records: Object.fromEntries(records),
    patches: Object.fromEntries(definitions.map(({ name }) => [name, operation(`${name}.update`).fields])),
  };
}
