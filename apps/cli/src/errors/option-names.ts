import type { FieldError, RosterError } from '@roster/client';
import { verbContract } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';

/** The command that an error is about, and the options it was given. */
export interface Given {
  /** `webhooks create`. */
  command: string;
  options: Record<string, unknown>;
}

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function fieldsOf(command: string): Field[] {
  const [noun = '', verb = ''] = command.split(' ');
  try {
    return verbContract(noun, verb).fields;
  } catch {
    // A command that is no operation, such as `status`.
    return [];
  }
}

/** Where an error is, in the API's names: `address`, `city`. */
function pathOf({ pointer, parameter }: FieldError): string[] {
  if (parameter !== undefined) return [parameter];
  return (pointer ?? '')
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The field whose option sets a place, or the nearest one around it. */
function fieldAt(path: readonly string[], fields: readonly Field[]): Field | undefined {
  const around = fields.filter((field) => field.path.every((name, index) => path[index] === name));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** The option or argument of a command that says what an error is about; undefined where none does. */
function optionAt(error: FieldError, { command, options }: Given): string | undefined {
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

/** What is wrong with one field, under the name of its option where it has one. */
export function sentenceOf(error: FieldError, given: Given): string {
  const place = optionAt(error, given) ?? pathOf(error).join('.');
  return place === '' ? error.detail : `${place} ${error.detail}`;
}

/** The detail of an error: where that is about one field only, under the name of its option. */
export function detailOf({ detail, errors }: RosterError, given: Given): string {
  const [only] = errors;
  if (only === undefined || errors.length > 1) return detail;
  const said = `${pathOf(only).join('.')} ${only.detail}`;
  return detail.replace(/\.$/, '') === said.replace(/\.$/, '') ? sentenceOf(only, given) : detail;
}

const aboutInput = new Set<RosterError['code']>([
  'validation_failed',
  'invalid_parameter',
  'invalid_cursor',
  'cursor_mismatch',
]);

/** Whether the service rejects what the command line says: every fault is in an option or argument of it. */
export function isUsage({ code, errors }: RosterError, given: Given): boolean {
  if (!aboutInput.has(code)) return false;
  return given.command === 'api' || errors.every((error) => optionAt(error, given) !== undefined);
}
