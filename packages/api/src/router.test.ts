import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  assignedByServer,
  type Document,
  documentedInputs,
  violations,
} from '../test/support/conventions.ts';
import { definitions as resourceDefinitions, resourceNames } from './directory/registry.ts';
import { errorCodes } from './errors/error-codes.ts';
import { openApiDocument } from './openapi/document.ts';
import { operations, streams } from './openapi/operations.ts';
import { responseNames } from './openapi/responses.ts';
import { describedRouter } from './router.ts';

const document: Document = JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));
const inDocument = ({ path, method }: { path: string; method: string }) =>
  document.paths[path]?.[method.toLowerCase()];

/** A router with two procedures that violate the conventions. */
function faultyRouter() {
  const t = initTRPC.meta<OpenApiMeta>().create();
  return t.router({
    bad: t.procedure
      .meta({ openapi: { method: 'POST', path: '/bad', summary: 'x' } })
      .input(z.object({ number: z.number(), list: z.array(z.boolean()).optional() }))
      .output(z.null())
      .mutation(() => null),
    worse: t.procedure.query(() => null),
    good: t.procedure
      .meta({ openapi: { method: 'GET', path: '/good', summary: 'x', description: 'x', tags: ['x'] } })
      .input(z.object({ text: z.string().meta({ example: 'x' }) }))
      .output(z.null())
      .query(() => null),
  });
}

describe('the conventions for procedures', () => {
  it('are followed by all procedures of the service', () => {
    expect(violations(describedRouter)).toEqual([]);
  });

  it('are violated by a procedure without a description, tags, examples, a REST path, an input or an output', () => {
    expect(violations(faultyRouter()).sort()).toEqual(
      [
        ...['description', 'tags', 'example of number', 'example of list'].map(
          (what) => `bad has no ${what}`,
        ),
        ...['REST path', 'input', 'output'].map((what) => `worse has no ${what}`),
      ].sort(),
    );
  });
});

/** The rules about several fields of an object, which zod does not read; what the service does with them has tests of its own. */
const unread = new Set(['if', 'then', 'not', 'dependentSchemas']);
const withDefinitions = (part: object | undefined) =>
  JSON.parse(JSON.stringify(part).replaceAll('#/components/schemas/', '#/$defs/'), (name, value) =>
    unread.has(name) ? undefined : value,
  );
const definitions = withDefinitions(document.components?.schemas);
const validators = new Map<string, z.ZodType>();

/** Adds the definitions that a schema refers to, and those that they refer to: zod reads all that it is given. */
function addDefinitionsOf(schema: object, found: Record<string, object> = {}): Record<string, object> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
    if (name in found) continue;
    found[name] = definitions[name];
    addDefinitionsOf(definitions[name], found);
  }
  return found;
}

/** A zod schema of a schema of the document. Many operations have the same one, which is made once. */
function validator(part: object): z.ZodType {
  const text = JSON.stringify(part);
  const schema = withDefinitions(part);
  const known = validators.get(text) ?? z.fromJSONSchema({ ...schema, $defs: addDefinitionsOf(schema) });
  validators.set(text, known);
  return known;
}

describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
  '%s',
  (name, operation) => {
    it('is in the document with its name, its success status and all its error codes', () => {
      const object = inDocument(operation);
      expect(object?.operationId).toBe(name.replace('.', '-'));
      const statuses = new Set(operation.errors.map((code) => String(errorCodes[code].status)));
      const responses = object?.responses as Record<string, { $ref?: string }>;
      const descriptionOf = (status: number) =>
        document.components?.responses?.[responses[status]?.$ref?.split('/').at(-1) ?? '']?.description;
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining([String(operation.status), '400', '500', '503', ...statuses]),
      );
      for (const code of operation.errors)
        expect(descriptionOf(errorCodes[code].status)).toContain(`\`${code}\``);
    });

    it('has examples that match its schemas', () => {
      const inputs = documentedInputs(inDocument(operation) ?? {}, document);
      expect(inputs.length).toBeGreaterThan(0);
      for (const { name: field, schema, example } of inputs) {
        if (example === undefined && assignedByServer.has(field)) continue;
        const { error } = validator(schema).safeParse(example);
        expect(error, `${field}: ${JSON.stringify(example)}`).toBeUndefined();
      }
    });
  },
);

describe('the document', () => {
  it('has a name that a person chose for each response of several errors', () => {
    const chosen = new Set(Object.values(responseNames));
    const unnamed = Object.entries(document.components?.responses ?? {})
      .filter(([name, { description }]) => String(description).split('`: ').length > 2 && !chosen.has(name))
      .map(([name]) => name);
    expect(unnamed, 'add their codes with a name to responseNames in openapi/responses.ts').toEqual([]);
    expect(chosen.size).toBe(Object.keys(responseNames).length);
  });

  it('has no tag without an operation', () => {
    const used = new Set(
      Object.values(document.paths).flatMap((methods) =>
        Object.values(methods ?? {}).flatMap(({ tags = [] }) => tags),
      ),
    );
    const named = (document.tags ?? []).map(({ name }) => name);
    expect(
      named.filter((name) => !used.has(name)),
      'remove these from tags in openapi/document.ts',
    ).toEqual([]);
  });

  it('has exactly the operations and streams of the router', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(documented.sort()).toEqual(
      [
        ...operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`),
        ...streams.map(({ path }) => `get ${path}`),
      ].sort(),
    );
  });

  it('has the same operations for all resources, and those that one has alone', () => {
    const own = [
      'PUT /offices/{id}/reactivate/preview',
      'PUT /offices/{id}/transfer-agents',
      'PUT /agents/{id}/transfer',
      'PUT /teams/{id}/members/{agentId}',
      'DELETE /teams/{id}/members/{agentId}',
    ];
    const operationsOf = (resource: string) => [
      `GET /${resource}`,
      `POST /${resource}`,
      `GET /${resource}/{id}`,
      `DELETE /${resource}/{id}`,
      `PATCH /${resource}/{id}`,
      ...['deactivate', 'reactivate'].map((transition) => `PUT /${resource}/{id}/${transition}`),
      `GET /${resource}/duplicates`,
      `PUT /${resource}/duplicates/check`,
      ...['dismiss', 'reopen'].map((decision) => `PUT /${resource}/duplicates/{id}/${decision}`),
      `POST /${resource}/{id}/merge`,
      `PUT /${resource}/{id}/unmerge`,
      `PUT /${resource}/{id}/restore`,
      `GET /${resource}/{id}/history`,
      `PUT /${resource}/{id}/revert`,
      `POST /${resource}/bulk`,
    ];
    const ofRecords = operations.filter(({ path }) =>
      resourceNames.some((name) => path.startsWith(`/${name}`)),
    );
    expect(ofRecords.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [...resourceNames.flatMap(operationsOf), ...own].sort(),
    );
  });

  it('has all components that it refers to', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const names = new Set(Array.from(references, ([, name = '']) => name));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !(name in (document.components?.schemas ?? {})))).toEqual([]);
  });

  it('has an example for every field of a record that matches its schema', () => {
    const ofResources = resourceDefinitions.map(({ texts }) => texts.schema);
    for (const resource of [...ofResources, 'Address', 'License', 'Source', 'FieldError']) {
      const properties = document.components?.schemas?.[resource]?.properties ?? {};
      expect(Object.keys(properties).length).toBeGreaterThan(1);
      for (const [name, schema] of Object.entries(properties)) {
        const documented = documentedInputs({ parameters: [{ name, schema }] }, document);
        expect(documented[0]?.example, `${resource}.${name}`).toBeDefined();
        expect(validator(schema).safeParse(documented[0]?.example).success, `${resource}.${name}`).toBe(true);
      }
    }
  });
});
