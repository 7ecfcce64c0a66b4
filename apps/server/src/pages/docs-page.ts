import { operations } from '@roster/api';
import { openApiDocument } from '@roster/api/openapi';
import { EXAMPLE, exampleOf, type PageExample } from './docs-examples.ts';

/** The changes of the document with which "Test Request" on the page of the operations succeeds without editing. */

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The page sends every parameter that has an example, so optional ones are disabled. */
function shownParameter(parameter: Json): Json {
  const { example, ...rest } = parameter;
  if (parameter.in === 'path' && example === undefined) {
    const description = `${parameter.description}. \`${EXAMPLE}\` stands for any record: one that exists for a read, one that this page creates first for a change`;
    return { ...rest, description, example: EXAMPLE, schema: { type: 'string' } };
  }
  if (parameter.required === true || example === undefined) return parameter;
  return { ...rest, examples: { example: { value: example, 'x-disabled': true } } };
}

function withShownParameters(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withShownParameters);
  if (!isObject(part)) return part;
  if (typeof part.in === 'string' && isObject(part.schema)) return shownParameter(part);
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withShownParameters(inner)]));
}

function withMadeFields(requestBody: Json, { body }: PageExample): Json {
  const made = Object.fromEntries(Object.keys(body).map((name) => [name, EXAMPLE]));
  const content = Object.entries(requestBody.content as Record<string, Json>).map(
    ([type, { example, ...rest }]) => [
      type,
      { ...rest, ...(example !== undefined && { example: { ...(example as Json), ...made } }) },
    ],
  );
  return { ...requestBody, content: Object.fromEntries(content) };
}

function triedPaths(paths: Record<string, Record<string, Json>>): Json {
  const tried = structuredClone(paths);
  for (const operation of operations) {
    const example = exampleOf(operation);
    const object = tried[operation.path]?.[operation.method.toLowerCase()];
    if (example === undefined || object === undefined) continue;
    object['x-example'] = example;
    if (isObject(object.requestBody)) object.requestBody = withMadeFields(object.requestBody, example);
  }
  return tried;
}

export function pageDocument(): object {
  const { paths, components, info, ...document } = openApiDocument({ baseUrl: '/' });
  const { description } = info as { description: string };
  return {
    ...document,
    info: {
      ...(info as Json),
      description: `${description}\n\nThe OpenAPI document: [/openapi.json](/openapi.json).`,
    },
    paths: triedPaths(withShownParameters(paths) as Record<string, Record<string, Json>>),
    components: { ...(components as Json), parameters: withShownParameters((components as Json).parameters) },
  };
}

/** Without a key the page would send the bare scheme, which takes precedence over the session cookie. Runs in the page. */
export const useSession = ({ request }: { request: Request }): void => {
  if (!/^bearer ./i.test(request.headers.get('Authorization') ?? '')) request.headers.delete('Authorization');
};
