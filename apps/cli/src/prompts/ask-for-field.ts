import type { CommandContext } from '../context/command-context.ts';
import { validateInput } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';
import { CliError } from '../errors/errors.ts';
import { inputOf, isRepeated } from '../options/fields.ts';
import { askChoice } from './ask-choice.ts';
import { answered, askLine, contextOf, themeFor } from './ask-line.ts';

/** The text of an option, or the texts of a repeated one. */
export type Texts = string | string[];

/** The label of a field: `Address city`. */
export function labelOf({ flag }: Field): string {
  const words = flag.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Validates the value of one field by itself. Returns an error message, or undefined if it is valid. */
function validateField(procedure: string, field: Field, texts: Texts): string | undefined {
  try {
    const pointer = `#/${field.path.join('/')}`;
    const errors = validateInput(procedure, inputOf(field, texts));
    const isHere = (other = '') => other === pointer || other.startsWith(`${pointer}/`);
    const detail = errors.find((error) => isHere(error.pointer))?.detail;
    return detail && `${labelOf(field)} ${detail}`;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

function hintOf({ description, example, parts }: Field): string {
  const exampleText = example === undefined ? '' : `, such as ${example}`;
  const names = parts?.map(({ name }) => name);
  const partsText = names === undefined ? '' : `; parts ${names.join(', ')}, such as ${names[0]}=A1`;
  return `  ${description}${exampleText}${partsText}`;
}

async function choose(field: Field, { io, callOptions }: CommandContext): Promise<Texts> {
  const { choices = [], kind, isRequired } = field;
  const { signal } = callOptions;
  const message = labelOf(field);
  if (kind !== 'list') {
    const named = choices.map((value) => ({ value, name: value }));
    return askChoice({ message, choices: named }, io, signal);
  }
  const { default: checkbox } = await import('@inquirer/checkbox');
  const config = { message, choices, required: isRequired === true, theme: themeFor(io.stderr.color) };
  return answered(checkbox(config, contextOf(io, signal)));
}

/** Prompts for items until the answer is empty. */
async function askForItems(
  field: Field,
  procedure: string,
  { io, callOptions }: CommandContext,
): Promise<string[]> {
  const items: string[] = [];
  while (true) {
    const validate = async (text: string) => {
      if (text !== '') return validateField(procedure, field, [...items, text]);
      return items.length === 0 && field.isRequired ? `${labelOf(field)} is required` : undefined;
    };
    const message = `${labelOf(field)} ${items.length + 1}`;
    const hint = `${hintOf(field)}; leave empty to continue`;
    const item = await askLine({ message, hint, validate }, io, callOptions.signal);
    if (item === '') return items;
    items.push(item);
  }
}

/** Prompts for the value of a field of a procedure's input. Resolves to the text that its option would take. */
export async function askForField(field: Field, procedure: string, context: CommandContext): Promise<Texts> {
  if (field.choices !== undefined) return choose(field, context);
  if (isRepeated(field)) return askForItems(field, procedure, context);
  const validate = async (text: string) => {
    if (text !== '') return validateField(procedure, field, text);
    return field.isRequired ? `${labelOf(field)} is required` : undefined;
  };
  const question = { message: labelOf(field), hint: hintOf(field), validate };
  return askLine(question, context.io, context.callOptions.signal);
}
