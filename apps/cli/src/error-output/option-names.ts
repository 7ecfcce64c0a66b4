import type { FieldError, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { operationContract } from '../contract/contract.ts';
import { camelCase } from '../contract/fields.ts';
import type { Field } from '../contract/types.ts';

/** The command that an error is about, and the options it was given. */
export interface CommandLine {
  /** `webhooks create`. */
  command: string;
  options: Record<string, unknown>;
}

function fieldsOf(command: string): Field[] {
  const [resource = '', operation = ''] = command.split(' ');
  try {
    return operationContract(resource, operation).fields;
  } catch {
    // A command that calls no operation, such as `status`.
    return [];
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

/** The option or argument that sets the field of an error; undefined if there is none. */
function optionAt(error: FieldError, { command, options }: CommandLine): string | undefined {
  const path = pathOf(error);
  const [first = ''] = path;
  const field = fieldAt(path, fieldsOf(command));
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
