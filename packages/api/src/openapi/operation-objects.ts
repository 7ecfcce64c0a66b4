import { z } from 'zod';
import { rpcOnly } from '../engine/fields/schemas.ts';
import { headerParameters, responseHeaders, sent } from './headers.ts';
import type { Operation, Stream } from './operations.ts';
import { errorResponses, successResponses } from './responses.ts';

type Json = Record<string, unknown>;
interface SchemaObject extends Json {
  properties?: Record<string, Json>;
  required?: string[];
}
interface Parameter extends Json {
  name: string;
  in: string;
  schema: Json;
}
export interface OperationObject extends Json {
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: SchemaObject }> };
  responses: Record<string, Json>;
}

/** Fields of a patch's response that its body can only send back unchanged. */
function readOnlyProperties({ responses }: OperationObject, written: object, schemas: Json): Json {
  const content = responses['200']?.content as Record<string, { schema: { $ref?: string } }> | undefined;
  const { $ref = '' } = content?.['application/json']?.schema ?? {};
  const { properties = {} } = (schemas[$ref.split('/').at(-1) ?? ''] ?? {}) as SchemaObject;
  const names = Object.keys(properties).filter((name) => !Object.hasOwn(written, name));
  const description = 'Read-only. Ignored if the value is current; rejected otherwise.';
  return Object.fromEntries(names.map((name) => [name, { readOnly: true, description }]));
}

function namedBody(operation: Operation, object: OperationObject, schemas: Json): Json {
  const { requestBody } = object;
  if (requestBody === undefined) return {};
  const [given] = Object.values(requestBody.content);
  if (given === undefined) return {};
  const properties = Object.fromEntries(
    Object.entries(given.schema.properties ?? {}).filter(([name]) => !rpcOnly.includes(name)),
  );
  if (Object.keys(properties).length === 0) return {};
  const { id: name = operation.procedure, description, example, ...rules } = operation.input.meta() ?? {};
  const { example: _, ...schema } = given.schema;
  // trpc-to-openapi drops rules about several fields, and then the one about other fields.
  schemas[name] = {
    ...schema,
    ...rules,
    additionalProperties: false,
    ...(description && { description }),
    properties: {
      ...properties,
      ...(operation.method === 'PATCH' && readOnlyProperties(object, properties, schemas)),
    },
  };
  const content = Object.fromEntries(
    Object.keys(requestBody.content).map((type) => [
      type,
      { schema: { $ref: `#/components/schemas/${name}` }, ...(example !== undefined && { example }) },
    ]),
  );
  // The body of a PUT is optional unless a field is required.
  const hasRequired = given.schema.required?.some((field) => field in properties) === true;
  return { requestBody: { required: hasRequired || operation.method !== 'PUT', content } };
}

/** trpc-to-openapi puts these into the body, but it is a file. */
function uploadParameters({ fileTypes }: Operation, { requestBody }: OperationObject): Parameter[] {
  if (fileTypes === undefined) return [];
  const [given] = Object.values(requestBody?.content ?? {});
  return Object.entries(given?.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function fileBody({ fileTypes = [], input }: Operation): Json {
  const { example } = input.meta() ?? {};
  const { content } = example as { content: string };
  const schema = { type: 'string', pattern: '^[\\s\\S]*$', description: 'The file' };
  return {
    requestBody: {
      required: true,
      content: Object.fromEntries(
        fileTypes.map((type, index) => [type, { schema, ...(index === 0 && { example: content }) }]),
      ),
    },
  };
}

function asJson({ schema, example, ...parameter }: Json & { schema: Json }): Json {
  if (schema.type !== 'object' && !('$ref' in schema))
    return { ...parameter, ...(example !== undefined && { example }), schema };
  return {
    ...parameter,
    example: JSON.stringify(example),
    schema: {
      type: 'string',
      pattern: '^\\{[\\s\\S]*\\}$',
      contentMediaType: 'application/json',
      contentSchema: schema,
    },
  };
}

/** Moves description and example from the schema to the parameter, where tools look for them. */
function describedParameter(parameter: Parameter): Json {
  const { description, example, ...schema } = parameter.schema;
  return asJson({
    ...parameter,
    ...(description !== undefined && { description }),
    // The example of an ID in the path matches no record.
    ...(example !== undefined && (parameter.in !== 'path' || 'enum' in schema) && { example }),
    schema,
  });
}

export function neededScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Requires no scope.';
  return `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

export function operationObject(operation: Operation, object: OperationObject, schemas: Json): Json {
  const { security: _, requestBody: __, ...rest } = object;
  const scopes = [operation.scope, ...operation.orScopes].filter((scope) => scope !== undefined);
  const given = [...(object.parameters ?? []), ...uploadParameters(operation, object)];
  const parameters = given.filter(({ name }) => !rpcOnly.includes(name));
  const { fileTypes } = operation;
  return {
    ...rest,
    description: `${object.description} ${neededScopes(scopes)}`,
    // OpenAPI has no scopes for bearer keys, hence an extension.
    security: [{ key: [] }],
    [operation.orScopes.length === 0 ? 'x-required-scopes' : 'x-alternative-scopes']: scopes,
    parameters: [...parameters.map(describedParameter), ...headerParameters(operation)],
    ...(fileTypes === undefined ? namedBody(operation, object, schemas) : fileBody(operation)),
    responses: {
      ...successResponses(operation, object.responses['200'] ?? {}),
      ...errorResponses(operation),
    },
  };
}

export const readsStream = { method: 'GET', hasBody: false } as const;

/** Server-sent events. Takes its parameters from `listParameters`, those of the list operation. */
export function streamObject(
  { procedure, tags, summary, description, scope, errors, input }: Stream,
  listParameters: Json[],
): Json {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const parameters = listParameters
    .filter(({ name }) => names.includes(String(name)))
    .map((parameter) =>
      parameter.name === 'after'
        ? { ...parameter, schema: { ...Object(parameter.schema), default: 'latest' } }
        : parameter,
    );
  return {
    operationId: procedure.replace('.', '-'),
    summary,
    description: `${description} Needs the scope \`${scope}\`.`,
    tags,
    security: [{ key: [] }],
    'x-required-scopes': [scope],
    parameters: [...parameters, sent.LastEventId, sent.RequestId],
    responses: {
      200: {
        description:
          'Events as they happen, until either side closes the connection; a comment every 15 seconds without events',
        headers: responseHeaders,
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: 'Each `data` is an Event, each `id` the cursor after it' },
          },
        },
      },
      ...errorResponses({ ...readsStream, errors }),
    },
  };
}
