import { isLimit, nameOf, type Schema } from '@roster/fields/read';

/** The TypeScript type of a schema; schemas with a name are referred to by it. */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf = anyOf, enum: choices, const: only, type } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (oneOf !== undefined) return [...new Set(oneOf.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return listTypeOf(schema);
  if (type === 'object') return objectTypeOf(schema);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === undefined) return 'unknown';
  throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
}

function listTypeOf({ items = {}, isRepeated }: Schema): string {
  const item = typeOf(items);
  const list = /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
  return isRepeated ? `${item} | ${list}` : list;
}

function objectTypeOf({ properties, required = [], additionalProperties }: Schema): string {
  if (properties !== undefined && Object.keys(properties).length === 0) return 'Record<string, never>';
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${docstringOf(schema)}${member};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** The formats that are named in docstrings. */
const formats: Record<string, string> = { 'date-time': 'RFC 3339', date: 'YYYY-MM-DD', uuid: 'UUID' };

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (max !== undefined && isLimit(max)) return [`${min ? `${min} to ${max}` : `at most ${max}`}${unit}`];
  return min !== undefined && isLimit(min) ? [`at least ${min}${unit}`] : [];
}

function limitsOf(schema: Schema): string[] {
  const { format = '', minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const alternatives = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const own = [
    ...(formats[format] === undefined ? [] : [formats[format]]),
    ...(maxLength === undefined ? [] : range(minLength, maxLength, ' characters')),
    ...range(minimum, maximum, ''),
    ...(maxItems === undefined ? [] : range(minItems, maxItems, ' of them')),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless given`]),
  ];
  return [...new Set([...own, ...alternatives.flatMap(limitsOf)])];
}

/** The docstring of a field: its description and its limits. */
function docstringOf(schema: Schema): string {
  const description = schema.description ?? schema.anyOf?.find((one) => one.description)?.description;
  if (description === undefined) return '';
  const limits = limitsOf(schema).filter((limit) => !description.includes(limit));
  if (!description.endsWith('.')) return docstring([description, ...limits].join('; '));
  const [first = '', ...others] = limits;
  const sentence = [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
  return docstring(first === '' ? description : `${description} ${sentence}.`);
}

/** Text as a docstring of one or more lines. */
export function docstring(...lines: string[]): string {
  const safe = lines.map((line) => line.replaceAll('*/', '* /'));
  return safe.length === 1
    ? `/** ${safe[0]} */\n`
    : `/**\n${safe.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

/** The declaration of a named schema. */
export function declarationOf(name: string, schema: Schema): string {
  return `${docstringOf(schema)}export type ${name} = ${typeOf(schema)};\n`;
}
