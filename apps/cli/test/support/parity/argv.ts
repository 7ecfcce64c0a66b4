import type { Operation } from '@roster/api';
import { verbContract } from '../../../src/contract/contract.ts';
import type { Field } from '../../../src/contract/types.ts';
import { type Input, isObject } from '../../../src/input/fields.ts';

const verbsWithData = new Set(['create', 'update']);

function areTexts(values: unknown[]): values is string[] {
  return values.every((value) => typeof value === 'string');
}

/** The texts of an option's values; undefined for a single empty one that would clear the field instead. */
function plain(values: unknown[], { isNullable }: Field): string[] | undefined {
  const isCleared = isNullable && values.length === 1 && values[0] === '';
  return areTexts(values) && values.length > 0 && !isCleared ? values : undefined;
}

function pairsOf(value: unknown, field: Field): string[] | undefined {
  const pairs = isObject(value) ? Object.entries(value) : [];
  if (!areTexts(pairs.map(([, text]) => text)) || pairs.some(([, text]) => text === '')) return undefined;
  return plain(
    pairs.map(([name, text]) => `${name}=${text}`),
    field,
  );
}

/** The values of an option that say the value of a field; undefined where no option can say it. */
function textsOf(field: Field, value: unknown): string[] | undefined {
  const { kind, isNullable, choices } = field;
  // An option with few values takes no other, not even for the service to refuse.
  if (choices !== undefined && [value].flat().some((one) => !choices.includes(String(one)))) return undefined;
  if (value === null) return isNullable ? [''] : undefined;
  if (kind === 'list') return Array.isArray(value) ? plain(value, field) : undefined;
  if (kind === 'map') return pairsOf(value, field);
  if (kind === 'records') {
    const isWhole = Array.isArray(value) && value.length > 0 && value.every(isObject);
    return isWhole ? value.map((item) => JSON.stringify(item)) : undefined;
  }
  if (kind === 'object') return isObject(value) ? [JSON.stringify(value)] : undefined;
  return kind === 'number' && typeof value === 'number' ? [String(value)] : plain([value], field);
}

/** The options that set one field of the input; undefined where only `--data` can. */
function optionsOf(fields: Field[], name: string, value: unknown): string[] | undefined {
  const field = fields.find(({ path }) => path.length === 1 && path[0] === name);
  if (field === undefined) return undefined;
  if (field.kind === 'switch') return value === true ? [`--${field.flag}`] : undefined;
  return textsOf(field, value)?.map((text) => `--${field.flag}=${text}`);
}

/**
 * The words of the command that calls an operation with this input: options where there is one, `--data` for the rest;
 * and where a verb takes no data, an option that will not be understood.
 */
export function argvOf({ procedure }: Operation, { id, ...input }: Input): string[] {
  const [noun = '', verb = ''] = procedure.split('.');
  // What reads files calls them with records of its own making; with any input they are called as they are.
  if (noun === 'imports')
    return ['api', procedure, JSON.stringify({ ...(id !== undefined && { id }), ...input })];
  const { fields } = verbContract(noun, verb);
  const options: string[] = [];
  const data: Input = {};
  for (const [name, value] of Object.entries(input)) {
    const words = optionsOf(fields, name, value);
    if (words !== undefined) options.push(...words);
    else if (verbsWithData.has(verb)) data[name] = value;
    else options.push(`--${name}=${value}`);
  }
  if (verbsWithData.has(verb) && Object.keys(data).length > 0) options.push(`--data=${JSON.stringify(data)}`);
  if (verb === 'delete') options.push('--yes');
  return [noun, verb, ...(id === undefined ? [] : [String(id)]), ...options, '--json'];
}
