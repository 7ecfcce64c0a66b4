import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inHeaders, notBlank, type Operation, openApiDocument, operations, withoutNul } from '@roster/api';
import type { Contract, Field, Kind, VerbContract } from '../src/contract/types.ts';

/** The parts of a JSON Schema that decide how an option reads its value. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  description?: string;
  example?: unknown;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

/** A parameter that is none of this operation's own is a `$ref`: a header. */
type Parameter =
  | { $ref: string; in?: never }
  | { name: string; in: string; description?: string; schema: Schema };

interface OperationObject {
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000' }) as {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
};

/** A schema with what it refers to in its place, and without its null. */
function resolved(schema: Schema): Schema & { isNullable?: true } {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    if (target === undefined) throw new Error(`${schema.$ref} is not in the document`);
    return { ...resolved(target), ...(schema.description && { description: schema.description }) };
  }
  const [only] = schema.allOf ?? [];
  if (only !== undefined) return { ...resolved(only), ...schema };
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const { type, ...rest } = schema;
    const given = type.filter((name) => name !== 'null');
    return { ...rest, ...(given.length === 1 && given[0] && { type: given[0] }), isNullable: true };
  }
  const choices = schema.anyOf ?? [];
  const present = choices.find(({ type }) => type !== 'null');
  if (present === undefined || choices.length !== 2) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...resolved(present), ...rest, isNullable: true };
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** One item is given at a time, so the option of `languages` is `--language`; `status` is no plural. */
const singular = (name: string) => name.replace(/(?<![us])s$/, '');

function kindOf({ type, items, properties, additionalProperties }: Schema): Kind {
  if (type === 'array') return resolved(items ?? {}).properties ? 'records' : 'list';
  if (properties !== undefined) return 'object';
  if (typeof additionalProperties === 'object') return 'map';
  if (type === 'boolean') return 'switch';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

/** In a merge patch a pair of a map is removed by null. */
function isNullableMap({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object' && resolved(additionalProperties).isNullable === true;
}

const formats: Record<string, string> = {
  uuid: 'id',
  'date-time': 'time',
  date: 'date',
  iri: 'url',
  'idn-email': 'e-mail',
};

/** A field under the name of an option that every command has gets another one. */
const otherFlags: Record<string, string> = { url: 'target-url' };

function placeholderOf(kind: Kind, schema: Schema): string {
  if (kind === 'list') return placeholderOf('text', resolved(schema.items ?? {}));
  if (kind === 'records') return 'part=value,…';
  if (kind === 'map') return 'key=value';
  if (kind === 'object') return 'json';
  if (kind === 'number') return 'number';
  return formats[schema.format ?? ''] ?? 'text';
}

/** A text that the option takes; none where it is given in parts or as JSON. */
function exampleOf(kind: Kind, { example, items }: Schema): string | undefined {
  if (kind === 'text' || kind === 'number') return example == null ? undefined : String(example);
  return kind === 'list' ? exampleOf('text', resolved(items ?? {})) : undefined;
}

/** A field, and after an object its parts, each with an option of its own. */
function fieldsOf(path: string[], given: Schema, isRequired: boolean): Field[] {
  const schema = resolved(given);
  const kind = kindOf(schema);
  const isRepeated = kind === 'list' || kind === 'records';
  const choices = (schema.enum ?? resolved(schema.items ?? {}).enum)?.filter(Boolean);
  const parts = kind === 'records' ? Object.keys(resolved(schema.items ?? {}).properties ?? {}) : undefined;
  const name = path.map(kebab).join('-');
  const flag = otherFlags[name] ?? name;
  const example = exampleOf(kind, schema);
  const field: Field = {
    path,
    flag: isRepeated ? singular(flag) : flag,
    kind,
    placeholder: placeholderOf(kind, schema),
    description: schema.description ?? '',
    ...(example !== undefined && { example }),
    ...(choices && { choices }),
    ...(isRequired && { isRequired }),
    ...(schema.isNullable && { isNullable: true }),
    ...(parts && { parts }),
    ...(isNullableMap(schema) && { areValuesNullable: true }),
  };
  return [field, ...(kind === 'object' ? partsOf(path, schema) : [])];
}

function partsOf(path: string[], { properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    // A part of an object that may be left out is not required of the whole.
    return fieldsOf([...path, name], schema, path.length === 0 && required.includes(name));
  });
}

/** The names `--json` may ask for: those of the record, in a list those of its items, and of each kind they have. */
function answersOf({ responses }: OperationObject): string[] {
  const answer = responses[200] ?? responses[201];
  const schema = resolved(answer?.content?.['application/json']?.schema ?? {});
  const items = schema.properties?.items;
  const record = items === undefined ? schema : resolved(resolved(items).items ?? {});
  const kinds = record.oneOf?.map(resolved) ?? [record];
  return [...new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** What the document says in a header, and RPC and the command line in the input: options after those of fields. */
function conditionsOf({ input }: Operation): Field[] {
  const { $ref, $defs, ...own } = input.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  const schema = ($ref === undefined ? own : $defs?.[$ref.replace('#/$defs/', '')]) as Schema | undefined;
  const conditions = Object.entries(schema?.properties ?? {}).filter(([name]) => inHeaders.includes(name));
  return conditions
    .flatMap(([name, schema]) => fieldsOf([name], schema, false))
    .map((field) => ({ ...field, isCondition: true }));
}

function queryFieldsOf({ parameters = [] }: OperationObject): Field[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') return [];
    const { name, description = '', schema } = parameter;
    return fieldsOf([name], { ...schema, description }, false);
  });
}

function verbContractOf(operation: Operation, object: OperationObject): VerbContract {
  const [body] = Object.values(object.requestBody?.content ?? {});
  return {
    summary: object.summary,
    description: object.description,
    fields: [
      ...queryFieldsOf(object),
      ...partsOf([], resolved(body?.schema ?? {})),
      ...conditionsOf(operation),
    ],
    answers: answersOf(object),
    ...(operation.type === 'query' && { isQuery: true }),
    ...(operation.isRepeatable && { isRepeatable: true }),
  };
}

/** The text of a JSON file as the linter wants it. */
function formatted(value: unknown): string {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=contract.json'], {
    input: JSON.stringify(value),
    encoding: 'utf8',
  });
}

/** Everything the command line needs to know of the service, as the text of `src/contract.json`. */
export function contractText(): string {
  const contract: Contract = {};
  for (const operation of operations) {
    const { procedure, method, path } = operation;
    const [noun = '', verb = ''] = procedure.split('.');
    const object = document.paths[path]?.[method.toLowerCase()];
    if (object === undefined) throw new Error(`${procedure} is not in the document`);
    contract[noun] = { ...contract[noun], [verb]: verbContractOf(operation, object) };
  }
  return formatted(contract);
}

/** Words for people, which a check does not need. */
const words = new Set(['$schema', 'description', 'example']);

/** The command line checks these by itself, and says what is wrong with the text. */
const textPatterns = new Set<unknown>([notBlank, withoutNul]);

function withoutWords(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutWords(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  // A field may be called as a keyword is.
  const kept = Object.entries(schema).filter(
    ([name, part]) => isNames || !(words.has(name) || (name === 'pattern' && textPatterns.has(part))),
  );
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutWords(part, !isNames && /^(properties|\$defs)$/.test(name))]),
  );
}

/** The JSON Schemas of the inputs of all changes, by procedure, as the text of `src/schemas.json`. */
export function schemasText(): string {
  const changes = operations.filter(({ type }) => type === 'mutation');
  const schemas = changes.map(({ procedure, input }) => [
    procedure,
    withoutWords(input.toJSONSchema({ io: 'input', unrepresentable: 'any' })),
  ]);
  return formatted(Object.fromEntries(schemas));
}

if (import.meta.main) {
  writeFileSync(new URL('../src/contract/contract.json', import.meta.url), contractText());
  writeFileSync(new URL('../src/contract/schemas.json', import.meta.url), schemasText());
}
