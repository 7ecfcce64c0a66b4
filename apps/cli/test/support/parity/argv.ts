import type { Operation } from '@roster/api';
import { operationContract } from '../../../src/contract/contract.ts';
import { kebab } from '../../../src/contract/fields.ts';
import type { Field } from '../../../src/contract/types.ts';
import { type Input, isObject } from '../../../src/options/fields.ts';

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

/** The options that set a field of the input; undefined if only `--data` can. */
function optionsOf(fields: Field[], name: string, value: unknown): string[] | undefined {
  const field = fields.find(({ path }) => path.length === 1 && path[0] === name);
  if (field === undefined) return undefined;
  if (field.kind === 'switch') return value === true ? [`--${field.flag}`] : undefined;
  return textsOf(field, value)?.map((text) => `--${field.flag}=${text}`);
}

/**
 * The command line that calls an operation with an input: options if there are any, `--data` for the rest, and an unknown
 * option if the command has no `--data`.
 */
export function argvOf({ procedure, method, pathParameters }: Operation, { id, ...given }: Input): string[] {
  const [resource = '', operation = ''] = procedure.split('.');
  const others = pathParameters.filter((name) => name !== 'id' && name in given);
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)));
  // The commands that import read files, `bulk` asks for the number; any input can be sent only with `api`.
  const byApi = operation === 'bulk' || operation.startsWith('preview');
  if ((resource === 'imports' && method === 'POST') || byApi)
    return ['api', procedure, JSON.stringify({ ...(id !== undefined && { id }), ...given })];
  const { fields } = operationContract(resource, operation);
  const options: string[] = [];
  const data: Input = {};
  for (const [name, value] of Object.entries(input)) {
    const words = optionsOf(fields, name, value);
    if (words !== undefined) options.push(...words);
    else if (operationsWithData.has(operation)) data[name] = value;
    else options.push(`--${name}=${value}`);
  }
  if (operationsWithData.has(operation) && Object.keys(data).length > 0)
    options.push(`--data=${JSON.stringify(data)}`);
  if (operation === 'delete') options.push('--yes');
  if (operation === 'history') options.push('--newest-first');
  const ids = [...(id === undefined ? [] : [id]), ...others.map((name) => given[name])].map(String);
  return [kebab(resource), kebab(operation), ...ids, ...options, '--json'];
}
