import {
  inHeaders,
  neededScopes,
  notBlank,
  operations,
  rpcOnly,
  type Operation as ServiceOperation,
  withoutNul,
} from '@roster/api';
import { appRouter, decodedSchema, definitions } from '@roster/api/server';
import type { z } from 'zod';
import type { Field, Kind, Operation, Operations, RecordContract } from '../src/field.ts';
import { readFields } from './fields.ts';
import { jsonSchemaOf, resolve, type Schema } from './json-schema.ts';

/** The documentation and the output of a procedure. */
interface Definition {
  meta: { openapi: { summary: string; description: string } };
  output: z.ZodType | undefined;
}

function definitionOf(procedure: string): Definition {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: Definition }>;
  const definition = procedures[procedure]?._def;
  if (definition === undefined) throw new Error(`There is no procedure ${procedure}`);
  return definition;
}

/** The patterns that every text has: its limits say the same. */
const patternsOfTexts: readonly string[] = [notBlank, withoutNul];

/** The patterns of the kinds that have been read. */
const patterns = new Map<Kind, string>();

/** The fields of an input or an output. */
function fieldsIn(type: z.ZodType, io: 'input' | 'output'): Field[] {
  const schema = jsonSchemaOf(type, io);
  const definitions = schema.$defs ?? {};
  return readFields(schema, { definitions, ignoredPatterns: patternsOfTexts, patterns });
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
  const { meta, output } = definitionOf(operation.procedure);
  const fields = fieldsIn(operation.input, 'input');
  const scopes = [operation.scope, operation.orScope].filter((scope) => scope !== undefined);
  const isInPath = ({ name }: Field) => operation.pathParameters.includes(name);
  return {
    summary: meta.openapi.summary,
    description: `${meta.openapi.description} ${neededScopes(scopes)}`,
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

function recordOf(
  { list, create }: { list: Operation; create: Operation },
  { table, schemas }: (typeof definitions)[number],
): RecordContract {
  const written = create.fields.map((field) => field.name);
  const readOnly = fieldsIn(schemas.record, 'output')
    .filter((field) => !written.includes(field.name))
    .map(({ isRequired: _, ...field }) => ({ ...field, isReadOnly: true as const }));
  return {
    singular: table,
    fields: [...create.fields, ...readOnly],
    filters: list.fields.filter((field) => !pageParameters.includes(field.name)),
    sorts: list.fields.find((field) => field.name === 'sort')?.choices ?? [],
  };
}

/** The contract: all operations by the names of their procedures, and by resource the records of the directory and their patches. */
export function contracts(): {
  operations: Operations;
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
    operations: { operations: Object.fromEntries(all), patterns: Object.fromEntries(patterns) },
    records: Object.fromEntries(records),
    patches: Object.fromEntries(definitions.map(({ name }) => [name, operation(`${name}.update`).fields])),
  };
}
