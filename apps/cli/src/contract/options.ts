import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { choiceOf } from '@roster/fields/text';
import { nearest, usageError } from '../errors.ts';
import type { Field, OperationContract } from './fields.ts';
import { parseOptionValue } from './option-values.ts';

/** The input of a procedure, built from what the user typed; the service validates it. */
export type Input = Record<string, unknown>;

const repeatedKinds = new Set<Field['kind']>(['list', 'records', 'map']);

/** Whether the option of a field is repeated for each of its values. */
export function isRepeated({ kind }: Pick<Field, 'kind'>): boolean {
  return repeatedKinds.has(kind);
}

/** Collects the values of an option that is repeated. */
export function collect(value: string, before: string | string[] = []): string[] {
  return [...before, value];
}

/** Parses the value of an option with allowed values, in any letter case; an empty text clears a nullable field. */
function chosen(value: string, { choices = [], isNullable }: Field): string {
  const choice = choiceOf(value, choices);
  if (choice !== undefined) return choice;
  if (value === '' && isNullable) return value;
  const near = nearest(value, choices);
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  throw new InvalidArgumentError(`It takes ${choices.join(', ')}.${hint}`);
}

/** The parser of an option: checks allowed values, and collects the values of a repeated option. */
function readerOf(
  field: Field,
): ((value: string, before: string | string[]) => string | string[]) | undefined {
  if (field.choices === undefined) return isRepeated(field) ? collect : undefined;
  return (value, before) => {
    const one = chosen(value, field);
    return isRepeated(field) ? collect(one, before) : one;
  };
}

function helpOf({ kind, description, isRequired, parts }: Field): string {
  const words = [description];
  if (kind === 'records')
    words.push(`once for each; parts ${parts?.map(({ name }) => name).join(', ')}; or JSON`);
  if (kind === 'list' && !description.includes('repeated')) words.push('once for each');
  if (kind === 'map') words.push('once for each');
  if (isRequired) words.push('required');
  return words.join('; ');
}

function optionOf(field: Field, group = 'Fields:'): Option {
  const { flag, kind, placeholder, choices } = field;
  const flags = kind === 'switch' ? `--${flag}` : `--${flag} <${placeholder}>`;
  const option = new Option(flags, helpOf(field));
  if (!field.isCondition) option.helpGroup(group);
  const reader = readerOf(field);
  if (reader !== undefined) option.argParser<string | string[]>(reader);
  // For the help and for shell completion.
  if (choices !== undefined) option.argChoices = choices;
  return option;
}

/** Adds an option for each field to a command, in a group of its help. */
export function addFields(command: CommandUnknownOpts, fields: Field[], group?: string): void {
  for (const field of fields) command.addOption(optionOf(field, group));
}

/** Whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Merges two inputs, nested objects too; `over` takes precedence. */
export function merged(under: Input, over: Input): Input {
  const parts = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isObject(below) && isObject(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(parts) };
}

/** The input with the value of one field only, nested as in the API. */
export function inputOf(field: Field, given: string | string[] | boolean): Input {
  const value = parseOptionValue(field, given);
  return field.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Input;
}

/** The input that the options of a command describe. */
export function parseInput(fields: Field[], options: Record<string, unknown>): Input {
  let input: Input = {};
  for (const field of fields) {
    const given = options[optionOf(field).attributeName()] as string | string[] | true | undefined;
    if (given === undefined) continue;
    input = merged(input, inputOf(field, given));
  }
  return input;
}

/**
 * Makes it an error of the command line that an option with one value is there twice: commander would keep the last one. An option that
 * collects its values has an array, and a switch says nothing else the second time.
 */
export function rejectRepeatedOptions(command: CommandUnknownOpts): void {
  const given = new Set<string>();
  for (const option of command.options) {
    if (option.isBoolean()) continue;
    const name = option.attributeName();
    // After the listener of commander, which has set the value.
    command.on(`option:${option.name()}`, () => {
      if (given.has(name) && !Array.isArray(command.getOptionValue(name)))
        command.error(`error: option '${option.flags}' is given twice`);
      given.add(name);
    });
  }
}

/** The text of the option in the help. */
const IDEMPOTENCY_KEY_HELP =
  'Key for safe retries: repeating the command with it within 24 hours has no further effect. Generated by default';

/** Adds `--idempotency-key` to a command whose operation accepts one. */
export function addIdempotencyKey(command: CommandUnknownOpts, { isRepeatable }: OperationContract): void {
  if (isRepeatable) command.addOption(new Option('--idempotency-key <key>', IDEMPOTENCY_KEY_HELP));
}

/**
 * The idempotency key of a command: the given one, or a random one, so that retries of the client are safe. Throws a usage error for
 * a key that cannot be sent in a header; the service validates the rest.
 *
 * @returns undefined if the operation accepts none
 */
export function idempotencyKeyOf(given: unknown, { isRepeatable }: OperationContract): string | undefined {
  if (!isRepeatable) return undefined;
  if (typeof given !== 'string') return crypto.randomUUID();
  if (/^[\x20-\x7e]*$/.test(given)) return given;
  throw usageError('--idempotency-key takes visible ASCII characters');
}
