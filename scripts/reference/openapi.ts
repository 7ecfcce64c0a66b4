import { openApiDocument } from '../../packages/api/src/openapi/document.ts';

// The reference is of the OpenAPI document and not of the contract: it shows the responses, their headers and the named schemas in
// them, and the contract has the inputs of operations alone.

/** A JSON Schema, as far as the reference shows it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  enum?: (string | null)[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  'x-required-scopes'?: string[];
  'x-alternative-scopes'?: string[];
}

/** The OpenAPI document, as far as the reference shows it. */
export interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
}

/** The OpenAPI document. */
export const openApi: Document = JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));

/** The last part of a reference: `Office` of `#/components/schemas/Office`. */
export const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** A parameter, whether it stands in the operation or among the components. */
export function parameterOf(given: Parameter): Parameter {
  return given.$ref === undefined ? given : (openApi.components.parameters[nameOf(given.$ref)] ?? given);
}

/** A response, whether it stands in the operation or among the components. */
export function responseOf(given: Response): Response {
  return given.$ref === undefined ? given : (openApi.components.responses[nameOf(given.$ref)] ?? given);
}

const isNull = ({ type }: Schema) => type === 'null';

/** A value's type and bounds in a few words, with links to the schemas of the same page. */
export function kindOf(schema: Schema): string {
  const { $ref, allOf, anyOf, oneOf, enum: choices, items, maxItems } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  const [only, ...others] = (allOf ?? anyOf ?? oneOf ?? []).filter((one) => !isNull(one));
  if (only !== undefined) return [only, ...others].map(kindOf).join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (choices !== undefined) {
    return choices
      .filter((choice) => choice !== null)
      .map((choice) => `\`${choice}\``)
      .join(', ');
  }
  const type = [schema.type].flat().find((one) => one !== 'null') ?? 'any JSON';
  if (type === 'array')
    return `${maxItems === undefined ? 'list' : `at most ${maxItems}`} of ${kindOf(items ?? {})}`;
  return [schema.format ?? type, ...boundsOf(schema)].join(', ');
}

function boundsOf({ minimum, maximum, maxLength, maxProperties }: Schema): string[] {
  const isReal = (bound?: number): bound is number => bound !== undefined && Math.abs(bound) < 2 ** 31 - 1;
  return [
    ...(isReal(minimum) ? [`from ${minimum}`] : []),
    ...(isReal(maximum) ? [`to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxProperties === undefined ? [] : [`at most ${maxProperties} members`]),
  ];
}
