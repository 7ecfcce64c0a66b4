import { describe, expect, it } from 'vitest';
import { openApiDocument } from './document.ts';
import { parameterComponents } from './headers.ts';
import { withOpenAnswers } from './schemas.ts';

type Json = Record<string, unknown>;
interface Operation {
  parameters: unknown[];
  requestBody?: unknown;
}
interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

const document = openApiDocument({ baseUrl: '/' }) as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const requests = operations.map(({ parameters, requestBody }) => [parameters, requestBody]);

function namesIn(part: unknown): string[] {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return Array.from(references, ([, name = '']) => name);
}

/** The names of the schemas that requests are made of. */
function namesOfRequests(): Set<string> {
  const names = new Set(namesIn(requests));
  // A set visits what is added to it on the way.
  for (const name of names) for (const inner of namesIn(document.components.schemas[name])) names.add(inner);
  return names;
}

/** Every schema object in a part of the document, with its place. */
function* schemasIn(part: unknown, place = ''): Generator<[place: string, schema: Json]> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield [place, part as Json];
  for (const [name, inner] of Object.entries(part)) {
    if (name !== 'example') yield* schemasIn(inner, `${place}/${name}`);
  }
}

const isA = ({ type }: Json, name: string) => type === name || (Array.isArray(type) && type.includes(name));
const inRequests = namesOfRequests();
const named = Object.entries(document.components.schemas);
const ofRequests = [...requests, ...named.filter(([name]) => inRequests.has(name))];
const ofAnswers = Object.fromEntries(named.filter(([name]) => !inRequests.has(name)));

function placesWhere(part: unknown, isSo: (schema: Json) => boolean): string[] {
  return Array.from(schemasIn(part))
    .filter(([, schema]) => isSo(schema))
    .map(([place]) => place);
}

describe('the document', () => {
  it('says of every text that is sent which characters it may hold', () => {
    const isBare = (schema: Json) =>
      isA(schema, 'string') && !['pattern', 'enum', 'const', 'format'].some((keyword) => keyword in schema);
    expect(placesWhere([ofRequests, parameterComponents], isBare)).toEqual([]);
  });

  it('has patterns that refuse NUL, and take text with a line break', () => {
    const { NewOffice } = document.components.schemas as Record<string, { properties: Record<string, Json> }>;
    for (const name of ['name', 'bio']) {
      const pattern = new RegExp(String(NewOffice?.properties[name]?.pattern), 'u');
      expect([pattern.test('a\n東京'), pattern.test('a\0b')]).toEqual([true, false]);
    }
    expect(new RegExp(String(NewOffice?.properties.name?.pattern), 'u').test(' \t')).toBe(false);
  });

  it('says of every integer how wide it is', () => {
    expect(placesWhere(document, (schema) => isA(schema, 'integer') && !('format' in schema))).toEqual([]);
  });

  it('leaves answers open to fields of later versions, and closes requests', () => {
    const isClosed = ({ additionalProperties }: Json) => additionalProperties === false;
    const isOpen = (schema: Json) => isA(schema, 'object') && !('additionalProperties' in schema);
    expect(placesWhere(ofAnswers, isClosed)).toEqual([]);
    expect(placesWhere(ofRequests, isOpen)).toEqual([]);
    expect(Object.keys(ofAnswers)).toEqual(expect.arrayContaining(['Office', 'OfficePage', 'Problem']));
  });

  it('is not made where a schema with fields is of requests and of answers', () => {
    const schemas = {
      Both: { type: 'object', properties: {}, additionalProperties: false },
      Answer: { properties: { both: { $ref: '#/components/schemas/Both' } } },
    };
    const request = { $ref: '#/components/schemas/Both' };
    expect(() => withOpenAnswers(schemas, request)).toThrow('Both is in requests and in answers');
  });

  it('bounds every list of an answer', () => {
    expect(placesWhere(ofAnswers, (schema) => isA(schema, 'array') && !('maxItems' in schema))).toEqual([]);
  });

  it('asks for a key by default, and says who answers for it', () => {
    expect(document.security).toEqual([{ key: [] }]);
    expect(document.info).toMatchObject({ contact: { name: expect.any(String) } });
  });

  it('has a pattern that takes its example for every header of a request', () => {
    for (const { name, example, schema } of Object.values(parameterComponents)) {
      expect(example, name).toMatch(new RegExp(String(schema.pattern), 'u'));
    }
  });
});
