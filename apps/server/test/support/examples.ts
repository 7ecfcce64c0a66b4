import { openApiDocument } from '@roster/api/openapi';

interface Schema {
  $ref?: string;
  type?: string | string[];
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}
interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  example?: unknown;
  schema: Schema;
}
export interface DocumentedOperation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}
const document = openApiDocument({ baseUrl: '/' }) as {
  paths: Record<string, Record<string, DocumentedOperation>>;
};

/** What a reference of the document refers to. */
function resolved<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part;
  const names = part.$ref.slice(2).split('/');
  const found = names.reduce<unknown>((whole, name) => (whole as Record<string, unknown>)[name], document);
  return { ...(found as Part), ...part, $ref: undefined };
}

/** A schema without its null, and what it refers to. */
function withoutNull(given: Schema): Schema {
  const schema = resolved(given);
  const alternative = schema.anyOf?.find(({ type }) => type !== 'null');
  return alternative === undefined ? schema : { ...withoutNull(alternative), ...schema };
}

function exampleOf(given: Schema): unknown {
  const { example, items } = withoutNull(given);
  if (example !== undefined || items === undefined) return example;
  const one = exampleOf(items);
  return one === undefined ? undefined : [one];
}

/** The names of filters in an example of `not`, which are set beside it. */
const negatedIn = (name: string, example: unknown) => (name === 'not' ? [example].flat().map(String) : []);

/** The examples of an object's required fields. */
function least(given: Schema): Record<string, unknown> {
  const { properties = {}, required = [] } = withoutNull(given);
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

/** A value with one example after the other in it: of each field, and of the fields of objects and lists in it. */
function* withExamples(given: Schema, base: unknown): Generator<{ place: string; value: unknown }> {
  const { properties, items } = withoutNull(given);
  if (items !== undefined) {
    const [first] = Array.isArray(base) ? base : [];
    for (const { place, value } of withExamples(items, first ?? exampleOf(items) ?? least(items)))
      yield { place: `/0${place}`, value: [value] };
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    const object = base as Record<string, unknown>;
    const example = exampleOf(property);
    const beside = negatedIn(name, example).map((one) => [one, exampleOf(properties?.[one] ?? {})]);
    if (example !== undefined)
      yield { place: `/${name}`, value: { ...object, ...Object.fromEntries(beside), [name]: example } };
    if (example === null) continue;
    for (const { place, value } of withExamples(property, object[name] ?? example ?? least(property)))
      yield { place: `/${name}${place}`, value: { ...object, [name]: value } };
  }
}

/** One request, made of examples; `place` is the example it is about. */
export interface ExampleRequest {
  place: string;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const queryOf = (values: readonly { name: string; example: unknown }[]): string =>
  new URLSearchParams(
    values.flatMap(({ name, example }) =>
      [example].flat().map((value): [string, string] => [name, String(value)]),
    ),
  ).toString();

/** Every example of what an operation takes, each in a request of its own beside the example of the body. */
export function exampleRequests(operation: DocumentedOperation): ExampleRequest[] {
  const given = operation.parameters.map(resolved);
  const exampleIn = (parameter: Parameter) => parameter.example ?? exampleOf(parameter.schema);
  const parameters = given.flatMap((parameter): ExampleRequest[] => {
    const example = exampleIn(parameter);
    if (example === undefined || parameter.in === 'path') return [];
    const place = `${parameter.in} ${parameter.name}`;
    if (parameter.in === 'header') return [{ place, headers: { [parameter.name]: String(example) } }];
    const negated = given.filter(({ name }) => negatedIn(parameter.name, example).includes(name));
    const values = [parameter, ...negated].map((one) => ({ name: one.name, example: exampleIn(one) }));
    return [{ place, query: queryOf(values) }];
  });
  const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(
    ([type, { schema, example }]) => {
      // A file has an example in its first type alone.
      if (schema.type === 'string' && example === undefined) return [];
      const headers = { 'Content-Type': type };
      const variants = [...withExamples(schema, example)].map(({ place, value }) => ({
        place: `body ${place}`,
        headers,
        body: value,
      }));
      return [{ place: `body ${type}`, headers, body: example }, ...variants];
    },
  );
  const [first] = bodies;
  return [
    ...bodies,
    ...parameters.map((request) => ({
      ...request,
      ...(first && { body: first.body, headers: { ...first.headers, ...request.headers } }),
    })),
    // Without anything that may be left out.
    ...(first === undefined ? [{ place: 'nothing' }] : []),
  ];
}

export interface Documented {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

/** All operations and streams of the document. */
export const documented: Documented[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
