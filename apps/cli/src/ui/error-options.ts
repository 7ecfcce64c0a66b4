import type { FieldError, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { camelCase } from '../contract/fields.ts';
import { operationContract } from '../contract/operations.ts';
import type { Field } from '../contract/types.ts';

/** The command that an error is about, and the options it was given. */
export interface CommandLine {
  /** `webhooks create`. */
  command: string;
  options: Record<string, unknown>;
}

/** The fields that options of a command set, and those that arguments behind the id do. */
function fieldsOf(command: string): { fields: Field[]; pathFields: Field[] } {
  const [resource = '', operation = ''] = command.split(' ');
  try {
    const { fields, pathFields = [] } = operationContract(resource, operation);
    return { fields, pathFields };
  } catch {
    // A command that calls no operation, such as `status`.
    return { fields: [], pathFields: [] };
  }
}

/** The path of the field that an error is about: `address`, `city`. */
function pathOf({ pointer, parameter }: FieldError): string[] {
  return parameter === undefined ? pathOfPointer(pointer ?? '') : [parameter];
}

/** The field at a path, or its nearest parent that has an option. */
function fieldAt(path: readonly string[], fields: readonly Field[]): Field | undefined {
  const around = fields.filter((field) => field.path.every((name, index) => path[index] === name));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** The option of a change of many that makes a part of the change; undefined if there is none. */
function changeOptionAt([part, ...path]: readonly string[], options: CommandLine['options']) {
  if (part === 'officeId') return '--transfer-to';
  if (part !== 'patch') return undefined;
  return [options.set === undefined ? '--data:' : '--set:', path.join('.')].join(' ').trim();
}

/** The option or argument that sets the field of an error; undefined if there is none. */
function optionAt(error: FieldError, { command, options }: CommandLine): string | undefined {
  const [outer, ...inner] = pathOf(error);
  const isOfMany = / (?:bulk|merge-duplicates)$/.test(command);
  if (isOfMany && outer === 'change') return changeOptionAt(inner, options);
  // The filter of a change of many has the options of a list.
  const path = isOfMany && outer === 'filter' ? inner : pathOf(error);
  const [first = ''] = path;
  const { fields, pathFields } = fieldsOf(command);
  const argument = pathFields.find((one) => one.path[0] === first);
  if (argument !== undefined) return `<${argument.flag}>`;
  const field = fieldAt(path, fields);
  const isGiven = field !== undefined && options[camelCase(field.flag)] !== undefined;
  if (!isGiven && options.data !== undefined && first !== 'id')
    return ['--data:', path.join('.')].join(' ').trim();
  if (field !== undefined) {
    const rest = path.slice(field.path.length).join('.');
    return rest === '' ? `--${field.flag}` : `--${field.flag} (${rest})`;
  }
  if (first === 'Idempotency-Key') return '--idempotency-key';
  // The id of a record is the subject of its events.
  return path.length === 1 && (first === 'id' || first === 'subject') ? '<id>' : undefined;
}

/** An error of a field as a sentence, with the name of its option if it has one. */
export function sentenceOf(error: FieldError, given: CommandLine): string {
  const label = optionAt(error, given) ?? pathOf(error).join('.');
  return label === '' ? error.detail : `${label} ${error.detail}`;
}

/** The detail of an error. If it is about a single field, with the name of its option. */
export function detailOf({ detail, errors }: RosterError, given: CommandLine): string {
  const [only] = errors;
  if (only === undefined || errors.length > 1) return detail;
  const described = `${pathOf(only).join('.')} ${only.detail}`;
  return detail.replace(/\.$/, '') === described.replace(/\.$/, '') ? sentenceOf(only, given) : detail;
}

const aboutInput = new Set<RosterError['code']>([
  'validation_failed',
  'invalid_parameter',
  'invalid_cursor',
  'cursor_mismatch',
]);

/** Whether the service rejected the command line: every field error belongs to one of its options or arguments. */
export function isUsage({ code, errors }: RosterError, given: CommandLine): boolean {
  if (!aboutInput.has(code)) return false;
  return given.command === 'api' || errors.every((error) => optionAt(error, given) !== undefined);
}
