import type { Operation } from '@roster/api';
import { type Field, kebab } from '../../../src/contract/fields.ts';
import { operationContract } from '../../../src/contract/operations.ts';
import { type Input, isObject } from '../../../src/contract/options.ts';

const operationsWithData = new Set(['create', 'invite', 'update']);

function areTexts(values: unknown[]): values is string[] {
  return values.every((value) => typeof value === 'string');
}

/** The texts of the values of an option; undefined for a single empty one, which would clear the field. */
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

/** The values of an option that set a field; undefined if the option cannot express the value. */
function textsOf(field: Field, value: unknown): string[] | undefined {
  const { kind, isNullable, choices } = field;
  // An option with an enum rejects other values before they reach the service.
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

/** The words of the option that sets a field; undefined if it can't. */
function wordsOf(field: Field, value: unknown): string[] | undefined {
  if (field.kind === 'switch') return value === true ? [`--${field.flag}`] : undefined;
  return textsOf(field, value)?.map((text) => `--${field.flag}=${text}`);
}

/** A command line, and whether it says what the input does. */
interface Argv {
  argv: string[];
  /** False if it has an option that the command does not have, or a value that its option rejects. */
  isKnown: boolean;
}

/**
 * The command line that calls an operation with an input: options if there are any, and `--data` for the rest. Undefined if it can't say
 * what the input says, such as a number for a text.
 */
export function argvOf(
  { procedure, method, pathParameters }: Operation,
  { id, ...given }: Input,
): Argv | undefined {
  const [resource = '', operation = ''] = procedure.split('.');
  const others = pathParameters.filter((name) => name !== 'id' && name in given);
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)));
  // The commands that import read files, `bulk` asks for the number; any input can be sent only with `api`.
  const byApi = operation === 'bulk' || operation.startsWith('preview');
  if ((resource === 'imports' && method === 'POST') || byApi)
    return {
      argv: ['api', procedure, JSON.stringify({ ...(id !== undefined && { id }), ...given })],
      isKnown: true,
    };
  const { fields } = operationContract(resource, operation);
  const hasData = operationsWithData.has(operation);
  const options: string[] = [];
  const data: Input = {};
  let isKnown = true;
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find(({ path }) => path.length === 1 && path[0] === name);
    const words = field && wordsOf(field, value);
    if (words !== undefined) options.push(...words);
    else if (hasData) data[name] = value;
    else {
      const texts = [value].flat();
      if (field !== undefined && (field.choices === undefined || !areTexts(texts))) return undefined;
      isKnown = false;
      options.push(`--${field?.flag ?? name}=${texts.at(-1)}`);
    }
  }
  if (Object.keys(data).length > 0) options.push(`--data=${JSON.stringify(data)}`);
  if (operation === 'delete') options.push('--yes');
  if (operation === 'history') options.push('--newest-first');
  const ids = [...(id === undefined ? [] : [id]), ...others.map((name) => given[name])].map(String);
  return { argv: [kebab(resource), kebab(operation), ...ids, ...options, '--json'], isKnown };
}
