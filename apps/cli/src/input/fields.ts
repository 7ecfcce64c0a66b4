import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Field } from '../contract/types.ts';
import { nearest } from '../errors/did-you-mean.ts';
import { givenValue } from './values.ts';

/** What a procedure is called with: made of what the user typed, judged by the service alone. */
export type Input = Record<string, unknown>;

const repeatedKinds = new Set<Field['kind']>(['list', 'records', 'map']);

/** Whether the option of a field is given once for each of its values. */
export function isRepeated({ kind }: Pick<Field, 'kind'>): boolean {
  return repeatedKinds.has(kind);
}

function collect(value: string, before: string | string[] = []): string[] {
  return [...before, value];
}

/** What an option whose values are few takes; an empty text clears what can be empty. */
function chosen(value: string, { choices = [], isNullable }: Field): string {
  if (choices.includes(value) || (value === '' && isNullable)) return value;
  const meant = nearest(value, choices);
  const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  throw new InvalidArgumentError(`It takes ${choices.join(', ')}.${hint}`);
}

/** How the texts of an option become its value: checked where they are few, collected where it is repeated. */
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
  if (kind === 'records') words.push(`once for each; parts ${parts?.join(', ')}; or JSON`);
  if (kind === 'list' && !description.includes('repeated')) words.push('once for each');
  if (kind === 'map') words.push('once for each');
  if (isRequired) words.push('required');
  return words.join('; ');
}

function optionOf(field: Field): Option {
  const { flag, kind, placeholder, choices } = field;
  const flags = kind === 'switch' ? `--${flag}` : `--${flag} <${placeholder}>`;
  const option = new Option(flags, helpOf(field));
  if (!field.isCondition) option.helpGroup('Fields:');
  const reader = readerOf(field);
  if (reader !== undefined) option.argParser<string | string[]>(reader);
  // For the help and for the completion in shells.
  if (choices !== undefined) option.argChoices = choices;
  return option;
}

/** Gives a command one option for each field. */
export function addFields(command: CommandUnknownOpts, fields: Field[]): void {
  for (const field of fields) command.addOption(optionOf(field));
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Both, part by part; where they disagree, `over`. */
export function merged(under: Input, over: Input): Input {
  const parts = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isObject(below) && isObject(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(parts) };
}

/** The input that the options of a command say, nested as the API has it. */
export function inputOf(fields: Field[], options: Record<string, unknown>): Input {
  let input: Input = {};
  for (const field of fields) {
    const given = options[optionOf(field).attributeName()] as string | string[] | true | undefined;
    if (given === undefined) continue;
    const value = field.path.reduceRight((inner, name) => ({ [name]: inner }), givenValue(field, given));
    input = merged(input, value as Input);
  }
  return input;
}
