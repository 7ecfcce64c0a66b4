import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@roster/api';
import type { FieldContract, FilterContract, ResourceContract } from '../src/contract/types.ts';

/** The parts of a JSON Schema that decide how a form shows a value. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  description?: string;
  example?: unknown;
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

interface Document {
  paths: Record<
    string,
    Record<string, { parameters?: { name?: string; in?: string; description?: string; schema: Schema }[] }>
  >;
  components: { schemas: Record<string, Schema> };
}

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000' }) as unknown as Document;

/** A schema without its references and without null. */
function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    if (target === undefined) throw new Error(`${schema.$ref} is not in the document`);
    const { $ref: _, ...own } = schema;
    return { ...resolved(target), ...own };
  }
  const [only] = schema.allOf ?? [];
  if (only !== undefined) {
    const { allOf: _, ...own } = schema;
    return { ...resolved(only), ...own };
  }
  const present = schema.anyOf?.find(({ type }) => type !== 'null');
  if (present !== undefined) {
    const { anyOf: _, ...own } = schema;
    return { ...resolved(present), ...own };
  }
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
  return type === undefined ? schema : { ...schema, type };
}

/** How a form shows the value of a schema. */
function kindOf(schema: Schema): FieldContract['kind'] {
  if (schema.enum !== undefined) return 'choice';
  if (schema.format === 'uuid') return 'reference';
  if (schema.format === 'date') return 'date';
  if (schema.format === 'date-time') return 'time';
  // The schemas of e-mail addresses and URLs have no format, because they accept what the standards do not.
  if (typeof schema.example === 'string' && schema.example.startsWith('https://')) return 'url';
  if (typeof schema.example === 'string' && /^[^ ]+@[^ ]+$/.test(schema.example)) return 'email';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'array') return resolved(schema.items ?? {}).type === 'object' ? 'records' : 'list';
  if (schema.type === 'object') return schema.properties === undefined ? 'map' : 'object';
  return (schema.maxLength ?? 0) > 1_000 ? 'long-text' : 'text';
}

/** The fields of an object, in the order of its schema. */
function fieldsOf(schema: Schema): FieldContract[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).map(([name, property]): FieldContract => {
    const field = resolved(property);
    const parts = field.type === 'array' ? resolved(field.items ?? {}) : field;
    return {
      name,
      kind: kindOf(field),
      ...(required.includes(name) && { isRequired: true as const }),
      ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
      ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
      ...(field.pattern !== undefined && field.format === undefined && { pattern: field.pattern }),
      ...(field.enum !== undefined && { choices: field.enum }),
      ...(field.example !== undefined && { example: field.example }),
      description: field.description ?? '',
      ...(parts.properties !== undefined && { parts: fieldsOf(parts) }),
    };
  });
}

/** What says which page it is, and what it holds beside the records. */
const pageParameters = new Set([
  'limit',
  'cursor',
  'startAt',
  'includeTotal',
  'highlight',
  'expand',
  'sort',
  'q',
]);

function filtersOf(path: string): { filters: FilterContract[]; sorts: string[] } {
  const parameters = (document.paths[path]?.get?.parameters ?? []).filter((one) => one.in === 'query');
  const filters = parameters
    .filter(({ name = '' }) => !pageParameters.has(name))
    .map(({ name = '', description = '', schema }): FilterContract => {
      const given = resolved(schema);
      const item = given.type === 'array' ? resolved(given.items ?? {}) : given;
      return {
        name,
        kind: kindOf(item),
        ...(given.type === 'array' && { isRepeatable: true as const }),
        ...(item.maxLength !== undefined && { maxLength: item.maxLength }),
        ...(item.enum !== undefined && { choices: item.enum }),
        description,
      };
    });
  return {
    filters,
    sorts: resolved(parameters.find(({ name }) => name === 'sort')?.schema ?? {}).enum ?? [],
  };
}

/** JSON in the format of the repository. */
function formatted(text: string): string {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=src/contract/fields.json'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    input: text,
  });
}

/** The fields, filters and orders of both resources, as the page needs them. */
export function fieldsText(): string {
  const schemas: Record<string, [create: string, path: string]> = {
    offices: ['NewOffice', '/offices'],
    agents: ['NewAgent', '/agents'],
  };
  const contracts: Record<string, ResourceContract> = {};
  for (const [resource, [create, path]] of Object.entries(schemas)) {
    const schema = document.components.schemas[create];
    if (schema === undefined) throw new Error(`${create} is not in the document`);
    contracts[resource] = { fields: fieldsOf(schema), ...filtersOf(path) };
  }
  return formatted(JSON.stringify(contracts));
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL('../src/contract/fields.json', import.meta.url), fieldsText());
