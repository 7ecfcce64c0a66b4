import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../src/errors/error-codes.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { operations, streams } from '../src/openapi/operations.ts';
import { appRouter } from '../src/root.ts';
import { breaches, type Document, documentedInputs, givenByServer } from './support/conventions.ts';

const document = openApiDocument({ baseUrl: '/' }) as unknown as Document;
const inDocument = ({ path, method }: { path: string; method: string }) =>
  document.paths[path]?.[method.toLowerCase()];

/** A router as nobody should write one. */
function madeUp() {
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

describe('the law', () => {
  it('is kept by every procedure of the service', () => {
    expect(breaches(appRouter)).toEqual([]);
  });

  it('is one that a router can break', () => {
    expect(breaches(madeUp()).sort()).toEqual(
      [
        ...['description', 'tags', 'example of number', 'example of list'].map(
          (what) => `bad has no ${what}`,
        ),
        ...['path in REST', 'input', 'output'].map((what) => `worse has no ${what}`),
      ].sort(),
    );
  });
});

const definitions = JSON.stringify(document.components?.schemas).replaceAll(
  '#/components/schemas/',
  '#/$defs/',
);

/** A schema of the document, to validate with. */
function validator(schema: object) {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema({ ...JSON.parse(text), $defs: JSON.parse(definitions) });
}

describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
  '%s in the document',
  (name, operation) => {
    it('is there under its name, with its success and each of its refusals', () => {
      const object = inDocument(operation);
      expect(object?.operationId).toBe(name.replace('.', '-'));
      const statuses = new Set(operation.errors.map((reason) => String(errorCodes[reason].status)));
      const answers = object?.responses as Record<string, { description: string }>;
      expect(Object.keys(answers)).toEqual(
        expect.arrayContaining([String(operation.status), '400', '500', '503', ...statuses]),
      );
      for (const reason of operation.errors)
        expect(answers[errorCodes[reason].status]?.description).toContain(`\`${reason}\``);
    });

    it('has examples that its own schemas take', () => {
      const inputs = documentedInputs(inDocument(operation) ?? {}, document);
      expect(inputs.length).toBeGreaterThan(0);
      for (const { name: field, schema, example } of inputs) {
        if (example === undefined && givenByServer.has(field)) continue;
        const { error } = validator(schema).safeParse(example);
        expect(error, `${field}: ${JSON.stringify(example)}`).toBeUndefined();
      }
    });
  },
);

describe('the document', () => {
  it('holds the operations and the streams of the router and no others', () => {
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

  it('has the fourteen paths of the contract, and restore', () => {
    const of = (noun: string) => [
      `GET /${noun}`,
      `POST /${noun}`,
      `GET /${noun}/{id}`,
      `DELETE /${noun}/{id}`,
      `PATCH /${noun}/{id}`,
      ...['deactivate', 'reactivate', 'restore'].map((transition) => `PUT /${noun}/{id}/${transition}`),
    ];
    const ofRecords = operations.filter(({ path }) => /^\/(offices|agents)/.test(path));
    expect(ofRecords.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...of('offices'),
      ...of('agents'),
    ]);
  });

  it('refers to nothing that is not in it', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const names = new Set(Array.from(references, ([, name = '']) => name));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !(name in (document.components?.schemas ?? {})))).toEqual([]);
  });

  it('has examples for every field of a record that its schema takes', () => {
    for (const noun of ['Office', 'Agent', 'Address', 'License', 'Source', 'FieldError']) {
      const properties = document.components?.schemas?.[noun]?.properties ?? {};
      expect(Object.keys(properties).length).toBeGreaterThan(1);
      for (const [name, schema] of Object.entries(properties)) {
        const documented = documentedInputs({ parameters: [{ name, schema }] }, document);
        expect(documented[0]?.example, `${noun}.${name}`).toBeDefined();
        expect(validator(schema).safeParse(documented[0]?.example).success, `${noun}.${name}`).toBe(true);
      }
    }
  });
});
