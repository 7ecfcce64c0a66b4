import { describe, expect, it } from 'vitest';
import { openApiDocument, withOpenResponses } from './document.ts';
import { parameterComponents } from './headers.ts';

type Json = Record<string, unknown>;
interface Operation {
  responses: Record<string, object>;
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

/** The names of the schemas that requests refer to, directly or indirectly. */
function namesOfRequests(): Set<string> {
  const names = new Set(namesIn(requests));
  // The iteration of a set includes what is added during it.
  for (const name of names) for (const inner of namesIn(document.components.schemas[name])) names.add(inner);
  return names;
}

/** All schema objects in a part of the document with their paths. */
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
const ofResponses = Object.fromEntries(named.filter(([name]) => !inRequests.has(name)));

function placesWhere(part: unknown, isSo: (schema: Json) => boolean): string[] {
  return Array.from(schemasIn(part))
    .filter(([, schema]) => isSo(schema))
    .map(([place]) => place);
}

describe('the document', () => {
  it('has a pattern, enum, const or format for every string of a request', () => {
    // What has alternatives is as narrow as each of them.
    const isBare = (schema: Json) =>
      isA(schema, 'string') &&
      !['pattern', 'enum', 'const', 'format', 'anyOf'].some((keyword) => keyword in schema);
    expect(placesWhere([ofRequests, parameterComponents], isBare)).toEqual([]);
  });

  it('has patterns that reject NUL and accept a line break', () => {
    const { NewOffice } = document.components.schemas as Record<string, { properties: Record<string, Json> }>;
    for (const name of ['name', 'bio']) {
      const pattern = new RegExp(String(NewOffice?.properties[name]?.pattern), 'u');
      expect([pattern.test('a\n東京'), pattern.test('a\0b')]).toEqual([true, false]);
    }
    expect(new RegExp(String(NewOffice?.properties.name?.pattern), 'u').test(' \t')).toBe(false);
  });

  it('has a format for every integer', () => {
    expect(placesWhere(document, (schema) => isA(schema, 'integer') && !('format' in schema))).toEqual([]);
  });

  it('has real bounds for every integer: only positions and bytes are as great as JSON can write them', () => {
    const isUnbounded = (schema: Json) =>
      isA(schema, 'integer') &&
      !('const' in schema) &&
      !(Number(schema.minimum) > -1_000 && Number(schema.maximum) < 2 ** 31);
    const places = placesWhere(document, isUnbounded);
    const isGreat = /\/(position|readTo|lastPosition|compactedTo|sizeBytes)(\/anyOf\/0)*$/;
    expect(places.filter((place) => !isGreat.test(place))).toEqual([]);
  });

  it('names every error response once, in its components', () => {
    const repeated = operations.flatMap(({ responses }) =>
      Object.entries(responses).filter(([status, response]) => status >= '3' && !('$ref' in response)),
    );
    expect(repeated).toEqual([]);
    expect(JSON.stringify(document).length).toBeLessThan(900_000);
  });

  it('allows additional fields in responses, but not in requests', () => {
    const isClosed = ({ additionalProperties }: Json) => additionalProperties === false;
    const isOpen = (schema: Json) =>
      isA(schema, 'object') && !('additionalProperties' in schema) && !('oneOf' in schema);
    expect(placesWhere(ofResponses, isClosed)).toEqual([]);
    expect(placesWhere(ofRequests, isOpen)).toEqual([]);
    expect(Object.keys(ofResponses)).toEqual(expect.arrayContaining(['Office', 'OfficePage', 'Problem']));
  });

  it('is not generated if a schema with fields is used in requests and in responses', () => {
    const schemas = {
      Both: { type: 'object', properties: {}, additionalProperties: false },
      Result: { properties: { both: { $ref: '#/components/schemas/Both' } } },
    };
    const request = { $ref: '#/components/schemas/Both' };
    expect(() => withOpenResponses(schemas, request)).toThrow('Both is used in requests and in responses');
  });

  it('has a maximum for every list of a response', () => {
    expect(placesWhere(ofResponses, (schema) => isA(schema, 'array') && !('maxItems' in schema))).toEqual([]);
  });

  it('requires a key by default and names a contact', () => {
    expect(document.security).toEqual([{ key: [] }]);
    expect(document.info).toMatchObject({ contact: { name: expect.any(String) } });
  });

  it('has a pattern for every request header that matches its example', () => {
    for (const { name, example, schema } of Object.values(parameterComponents)) {
      expect(example, name).toMatch(new RegExp(String(schema.pattern), 'u'));
    }
  });
});
