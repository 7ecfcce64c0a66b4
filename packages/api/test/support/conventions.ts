import type { AnyTRPCRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { definitionsOf } from '../../src/openapi/operations.ts';
import type { Meta } from '../../src/trpc/init.ts';

type Json = Record<string, unknown>;
interface Documented extends Json {
  tags?: string[];
  parameters?: { name: string; schema: Json; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Json }> };
}
export interface Document {
  tags?: { name: string }[];
  paths: Record<string, Record<string, Documented>>;
  components?: Record<string, Record<string, Json>>;
}

/** Replaces a reference by the component that it refers to. */
function resolve<Part extends object>(part: Part, { components }: Document): Part {
  const reference = '$ref' in part ? String(part.$ref) : '';
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  return kind === undefined || name === undefined ? part : { ...components?.[kind]?.[name], ...part };
}

function exampleOf(schema: Json, document: Document): unknown {
  const { example, items } = resolve(schema, document);
  if (example !== undefined || items === undefined) return example;
  const one = exampleOf(items as Json, document);
  return one === undefined ? undefined : [one];
}

/** The inputs of an operation in a document, with their schemas and examples. */
export function documentedInputs(operation: Documented, document: Document) {
  const parameters = operation.parameters?.map((parameter) => {
    const { name, schema, example } = resolve(parameter, document);
    return { name, schema, example: example ?? exampleOf(schema, document) };
  });
  const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries((resolve(schema, document).properties ?? {}) as Record<string, Json>).map(
      ([name, field]) => ({
        name,
        schema: field,
        example: exampleOf(field, document),
      }),
    ),
  );
  return [...(parameters ?? []), ...bodies];
}

/** Inputs whose values only the server assigns: an example could not be sent. */
export const assignedByServer: ReadonlySet<string> = new Set(['id', 'agentId', 'cursor']);

function metaViolations({ openapi, stream }: Meta): string[] {
  const operation = openapi ?? (stream && { ...stream, method: 'GET' });
  if (operation === undefined) return ['has no REST path'];
  const { path, method, summary, description } = operation;
  const missing = Object.entries({ path, method, summary, description })
    .filter(([, value]) => !value)
    .map(([name]) => `has no ${name}`);
  return operation.tags?.length ? missing : [...missing, 'has no tags'];
}

function documentViolations(operation: Documented | undefined, document: Document): string[] {
  if (operation === undefined) return ['is not in the document'];
  return documentedInputs(operation, document)
    .filter(({ name, example }) => example === undefined && !assignedByServer.has(name))
    .map(({ name }) => `has no example of ${name}`);
}

/**
 * Returns the violations of the conventions for procedures: each has a summary, a description, tags, an input, an output and a
 * REST path, and is in the OpenAPI document with an example of each input.
 */
export function violations(router: AnyTRPCRouter): string[] {
  const generated = generateOpenApiDocument(router, { title: '', version: '', baseUrl: '/' });
  const document: Document = JSON.parse(JSON.stringify(generated));
  return definitionsOf(router).flatMap(({ name, definition: { type, meta, inputs, output } }) => {
    const { path = '', method = '' } = meta.openapi ?? {};
    const documented = document.paths[path]?.[method.toLowerCase()];
    return [
      ...metaViolations(meta),
      ...(inputs.length === 0 ? ['has no input'] : []),
      // The output of a subscription is checked event by event.
      ...(output === undefined && type !== 'subscription' ? ['has no output'] : []),
      ...(meta.openapi ? documentViolations(documented, document) : []),
    ].map((violation) => `${name} ${violation}`);
  });
}
