import type { AnyTRPCRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { definitionsOf } from '../../src/openapi/operations.ts';
import type { Meta } from '../../src/trpc/meta.ts';

type Json = Record<string, unknown>;
interface Documented extends Json {
  parameters?: { name: string; schema: Json; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Json }> };
}
export interface Document {
  paths: Record<string, Record<string, Documented>>;
  components?: Record<string, Record<string, Json>>;
}

/** A schema of a document with what it refers to in its place. */
function resolved<Part extends object>(part: Part, { components }: Document): Part {
  const reference = '$ref' in part ? String(part.$ref) : '';
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  return kind === undefined || name === undefined ? part : { ...components?.[kind]?.[name], ...part };
}

function exampleOf(schema: Json, document: Document): unknown {
  const { example, items } = resolved(schema, document);
  if (example !== undefined || items === undefined) return example;
  const one = exampleOf(items as Json, document);
  return one === undefined ? undefined : [one];
}

/** Every input of an operation in a document, with its schema and its example. */
export function documentedInputs(operation: Documented, document: Document) {
  const parameters = operation.parameters?.map((parameter) => {
    const { name, schema, example } = resolved(parameter, document);
    return { name, schema, example: example ?? exampleOf(schema, document) };
  });
  const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries((resolved(schema, document).properties ?? {}) as Record<string, Json>).map(
      ([name, field]) => ({
        name,
        schema: field,
        example: exampleOf(field, document),
      }),
    ),
  );
  return [...(parameters ?? []), ...bodies];
}

/** Inputs whose values only the service gives out: an example of one could not be sent. */
export const givenByServer: ReadonlySet<string> = new Set(['id', 'cursor']);

function breachesOfMeta({ openapi, stream }: Meta): string[] {
  const place = openapi ?? (stream && { ...stream, method: 'GET' });
  if (place === undefined) return ['has no path in REST'];
  const { path, method, summary, description } = place;
  const missing = Object.entries({ path, method, summary, description })
    .filter(([, value]) => !value)
    .map(([name]) => `has no ${name}`);
  return place.tags?.length ? missing : [...missing, 'has no tags'];
}

function breachesOfDocument(operation: Documented | undefined, document: Document): string[] {
  if (operation === undefined) return ['is not in the document'];
  return documentedInputs(operation, document)
    .filter(({ name, example }) => example === undefined && !givenByServer.has(name))
    .map(({ name }) => `has no example of ${name}`);
}

/**
 * The laws of a procedure, and where a router breaks them: it says what it does (summary, description, tags), what it
 * takes and gives, where it is in REST; it is in the document, with an example of each input.
 */
export function breaches(router: AnyTRPCRouter): string[] {
  const document = generateOpenApiDocument(router, {
    title: '',
    version: '',
    baseUrl: '/',
  }) as unknown as Document;
  return definitionsOf(router).flatMap(({ name, definition: { type, meta, inputs, output } }) => {
    const { path = '', method = '' } = meta.openapi ?? {};
    const documented = document.paths[path]?.[method.toLowerCase()];
    return [
      ...breachesOfMeta(meta),
      ...(inputs.length === 0 ? ['has no input'] : []),
      // What a subscription gives is checked event by event.
      ...(output === undefined && type !== 'subscription' ? ['has no output'] : []),
      ...(meta.openapi ? breachesOfDocument(documented, document) : []),
    ].map((breach) => `${name} ${breach}`);
  });
}
