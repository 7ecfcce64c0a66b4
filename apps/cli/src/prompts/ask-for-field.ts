import type { Session } from '../context/command-context.ts';
import type { Field } from '../contract/types.ts';
import { CliError } from '../errors/errors.ts';
import type { Input } from '../input/fields.ts';
import { faultsOf } from '../input/validation.ts';
import { givenValue } from '../input/values.ts';
import { answered, askLine, contextOf, themeFor } from './ask-line.ts';

/** What an option would be given: one text, or several where it is repeated. */
export type Texts = string | string[];

/** What a person calls a field: `address city`. */
export function labelOf({ flag }: Field): string {
  const words = flag.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The input in which just this field has a value. */
export function inputWith(field: Field, texts: Texts): Input {
  return field.path.reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    givenValue(field, texts),
  ) as Input;
}

/** What is wrong with the value of one field, whatever the others are; undefined where nothing is. */
async function faultIn(procedure: string, field: Field, texts: Texts): Promise<string | undefined> {
  try {
    const pointer = `#/${field.path.join('/')}`;
    const faults = await faultsOf(procedure, inputWith(field, texts));
    const isHere = (place = '') => place === pointer || place.startsWith(`${pointer}/`);
    return faults.find((fault) => isHere(fault.pointer))?.detail;
  } catch (error) {
    if (error instanceof CliError) return `is not understood: ${error.message}`;
    throw error;
  }
}

function hintOf({ description, example, parts }: Field): string {
  const such = example === undefined ? '' : `, such as ${example}`;
  const made = parts === undefined ? '' : `; parts ${parts.join(', ')}, such as ${parts[0]}=A1`;
  return `  ${description}${such}${made}`;
}

async function choose(field: Field, { io, callOptions }: Session): Promise<Texts> {
  const { choices = [], kind, isRequired } = field;
  const context = contextOf(io, callOptions.signal);
  const config = { message: labelOf(field), theme: themeFor(io.stderr.color) };
  if (kind === 'list') {
    const { default: checkbox } = await import('@inquirer/checkbox');
    return answered(checkbox({ ...config, choices, required: isRequired === true }, context));
  }
  const { default: select } = await import('@inquirer/select');
  return answered(select({ ...config, choices }, context));
}

/** One item after another, until a line is left empty. */
async function askForItems(field: Field, procedure: string, { io, callOptions }: Session): Promise<string[]> {
  const items: string[] = [];
  while (true) {
    const faultOf = async (text: string) => {
      if (text !== '') return faultIn(procedure, field, [...items, text]);
      return items.length === 0 && field.isRequired ? 'is required' : undefined;
    };
    const message = `${labelOf(field)} ${items.length + 1}`;
    const hint = `${hintOf(field)}; leave it empty to go on`;
    const item = await askLine({ message, hint, faultOf }, io, callOptions.signal);
    if (item === '') return items;
    items.push(item);
  }
}

/** Asks a person for the value of a field of a procedure's input: a text that its option would take. */
export async function askForField(field: Field, procedure: string, session: Session): Promise<Texts> {
  if (field.choices !== undefined) return choose(field, session);
  const { kind } = field;
  if (kind === 'list' || kind === 'records' || kind === 'map') return askForItems(field, procedure, session);
  const faultOf = async (text: string) => {
    if (text !== '') return faultIn(procedure, field, text);
    return field.isRequired ? 'is required' : undefined;
  };
  const question = { message: labelOf(field), hint: hintOf(field), faultOf };
  return askLine(question, session.io, session.callOptions.signal);
}
