import {
  inHeaders,
  neededScopes,
  operations,
  rpcOnly,
  type Operation as ServiceOperation,
} from '@roster/api';
import { fieldsIn, jsonSchemaOf, recordContracts } from '@roster/api/contract';
import { decodedSchema, procedures } from '@roster/api/openapi';
import type { Field, Operation, RecordContract } from '@roster/fields';
import { resolve, type Schema } from '@roster/fields/read';
import type { z } from 'zod';

const definitions = new Map(procedures.map(({ name, definition }) => [name, definition]));

/** The documentation and the output of a procedure. */
function documentedOf(procedure: string) {
  const { meta, output } = definitions.get(procedure) ?? {};
  if (meta?.openapi === undefined) throw new Error(`There is no operation ${procedure}`);
  return { ...meta.openapi, output };
}

/** The schemas of the records in a response: of the record, or of the items of a page; of all variants. */
function returnedRecords(output: z.ZodType | undefined): Schema[] {
  if (output === undefined) return [];
  const schema = jsonSchemaOf(decodedSchema(output), 'output');
  const resolved = (one: Schema | undefined) => resolve(one ?? {}, schema.$defs ?? {});
  const response = resolved(schema);
  const items = response.properties?.items;
  const record = items === undefined ? response : resolved(resolved(items).items);
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
    returned: namesIn(returnedRecords(output)),
    ...(operation.type === 'query' && { isQuery: true as const }),
    ...(operation.isRepeatable && { isRepeatable: true as const }),
  };
}

/** The contract: all operations by the names of their procedures, and the records of the directory by resource. */
export function contracts(): {
  operations: Record<string, Operation>;
  records: Record<string, RecordContract>;
} {
  return {
    operations: Object.fromEntries(operations.map((one) => [one.procedure, operationOf(one)])),
    records: recordContracts(),
  };
}
