import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inHeaders, notBlank, type Operation, openApiDocument, operations, withoutNul } from '@roster/api';
import type { Contract, Field, Kind, OperationContract } from '../src/contract/types.ts';

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

/** A `$ref` is a parameter that operations share: a header. */
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

/** Resolves the references in a schema and removes its null. */
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

/** The option of a list takes one item, so that of `languages` is `--language`; `status` is not a plural. */
const singular = (name: string) => name.replace(/(?<![us])s$/, '');

function kindOf({ type, items, properties, additionalProperties }: Schema): Kind {
  if (type === 'array') return resolved(items ?? {}).properties ? 'records' : 'list';
  if (properties !== undefined) return 'object';
  if (typeof additionalProperties === 'object') return 'map';
  if (type === 'boolean') return 'switch';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

/** In a merge patch, null removes a pair of a map. */
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

/** The options of fields whose name is that of a global option, and shorter ones. */
const otherFlags: Record<string, string> = { url: 'target-url', 'to-version': 'to' };

function placeholderOf(kind: Kind, schema: Schema): string {
  if (kind === 'list') return placeholderOf('text', resolved(schema.items ?? {}));
  if (kind === 'records') return 'part=value,…';
  if (kind === 'map') return 'key=value';
  if (kind === 'object') return 'json';
  if (kind === 'number') return 'number';
  return formats[schema.format ?? ''] ?? 'text';
}

/** An example of a value of the option; undefined for values in parts or as JSON. */
function exampleOf(kind: Kind, { example, items }: Schema): string | undefined {
  if (kind === 'text' || kind === 'number') return example == null ? undefined : String(example);
  return kind === 'list' ? exampleOf('text', resolved(items ?? {})) : undefined;
}

/** A field, followed by the parts of an object, which have options of their own. */
function fieldsOf(path: string[], given: Schema, isRequired: boolean): Field[] {
  const schema = resolved(given);
  const kind = kindOf(schema);
  const isRepeated = kind === 'list' || kind === 'records';
  const choices = (schema.enum ?? resolved(schema.items ?? {}).enum)?.filter(Boolean);
  const itemParts = kind === 'records' ? (resolved(schema.items ?? {}).properties ?? {}) : {};
  const parts = kind === 'records' ? Object.keys(itemParts) : undefined;
  const partsOfKind = (wanted: Kind) =>
    Object.keys(itemParts).filter((part) => kindOf(resolved(itemParts[part] ?? {})) === wanted);
  const switches = partsOfKind('switch');
  const numbers = partsOfKind('number');
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
    ...(switches.length > 0 && { switches }),
    ...(numbers.length > 0 && { numbers }),
    ...(isNullableMap(schema) && { areValuesNullable: true }),
  };
  return [field, ...(kind === 'object' ? partsOf(path, schema) : [])];
}

function partsOf(path: string[], { properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    // A required part of an optional object is not required by itself.
    return fieldsOf([...path, name], schema, path.length === 0 && required.includes(name));
  });
}

/** The field names that `--json` accepts: of the record, or of the items of a list, including all variants. */
function answersOf({ responses }: OperationObject): string[] {
  const answer = responses[202] ?? responses[200] ?? responses[201];
  const schema = resolved(answer?.content?.['application/json']?.schema ?? {});
  const items = schema.properties?.items;
  const record = items === undefined ? schema : resolved(resolved(items).items ?? {});
  const kinds = record.oneOf?.map(resolved) ?? [record];
  return [...new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** Preconditions: headers in REST, part of the input in RPC and on the command line. Their options follow those of fields. */
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

function operationContractOf(operation: Operation, object: OperationObject): OperationContract {
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

/** Formats a JSON file with Biome. */
function formatted(value: unknown): string {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=contract.json'], {
    input: JSON.stringify(value),
    encoding: 'utf8',
  });
}

/** The contracts of all operations, as the text of `src/contract/contract.json`. */
export function contractText(): string {
  const contract: Contract = {};
  for (const operation of operations) {
    const { procedure, method, path } = operation;
    const [resource = '', name = ''] = procedure.split('.');
    const object = document.paths[path]?.[method.toLowerCase()];
    if (object === undefined) throw new Error(`${procedure} is not in the document`);
    contract[resource] = { ...contract[resource], [name]: operationContractOf(operation, object) };
  }
  return formatted(contract);
}

/** Keywords that validation does not need. */
const annotations = new Set(['$schema', 'description', 'example']);

/** Patterns that the command line checks without a schema, for better messages. */
const textPatterns = new Set<unknown>([notBlank, withoutNul]);

function withoutAnnotations(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutAnnotations(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  // A field may have the name of a keyword.
  const kept = Object.entries(schema).filter(
    ([name, part]) => isNames || !(annotations.has(name) || (name === 'pattern' && textPatterns.has(part))),
  );
  return Object.fromEntries(
    kept.map(([name, part]) => [
      name,
      withoutAnnotations(part, !isNames && /^(properties|\$defs)$/.test(name)),
    ]),
  );
}

/** The JSON Schemas of the inputs of all mutations by procedure, as the text of `src/contract/schemas.json`. */
export function schemasText(): string {
  const changes = operations.filter(({ type }) => type === 'mutation');
  const schemas = changes.map(({ procedure, input }) => [
    procedure,
    withoutAnnotations(input.toJSONSchema({ io: 'input', unrepresentable: 'any' })),
  ]);
  return formatted(Object.fromEntries(schemas));
}

if (import.meta.main) {
  writeFileSync(new URL('../src/contract/contract.json', import.meta.url), contractText());
  writeFileSync(new URL('../src/contract/schemas.json', import.meta.url), schemasText());
}
