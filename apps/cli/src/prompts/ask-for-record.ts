import type { CommandContext } from '../context/command-context.ts';
import { operationContract, validateInput } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';
import { type Input, inputOf, merged } from '../options/fields.ts';
import type { Resource } from '../resources.ts';
import { askForField, labelOf, type Texts } from './ask-for-field.ts';
import { answered, contextOf, themeFor } from './ask-line.ts';

type Answers = Map<Field, Texts>;

/** Visible lines of the list of fields. */
const LINES = 12;

function parseInput(answers: Answers): Input {
  const given = [...answers].filter(([, texts]) => texts.length > 0);
  return given.reduce<Input>((input, [field, texts]) => merged(input, inputOf(field, texts)), {});
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function commandOf(command: readonly string[], answers: Answers): string {
  const options = [...answers].flatMap(([{ flag }, texts]) =>
    [texts].flat().flatMap((text) => (text === '' ? [] : [`--${flag}`, quoted(text)])),
  );
  return ['roster', ...command, ...options].join(' ');
}

/** Lets the user select the optional fields to fill in. */
async function chooseFields(fields: Field[], { io, callOptions }: CommandContext): Promise<Field[]> {
  if (fields.length === 0) return [];
  const { default: checkbox } = await import('@inquirer/checkbox');
  const choices = fields.map((field) => ({
    value: field,
    name: labelOf(field),
    short: labelOf(field),
    description: field.description,
  }));
  const config = {
    message: 'More fields? (space selects, enter continues)',
    choices,
    pageSize: LINES,
    loop: false,
    theme: themeFor(io.stderr.color),
  };
  return answered(checkbox(config, contextOf(io, callOptions.signal)));
}

/** The first invalid field of all answers together: for example the missing half of a pair. */
function wrongField(procedure: string, fields: Field[], answers: Answers): Field | undefined {
  for (const { pointer } of validateInput(procedure, parseInput(answers))) {
    const field = fields.find(({ path }) => pointer === `#/${path.join('/')}`);
    if (field !== undefined) return field;
  }
  return undefined;
}

/**
 * Prompts for a new record: the required fields, and then the optional ones that the user selects. Prints the command that
 * does the same without prompts. Throws `Interrupted` if the user leaves.
 */
export async function askForRecord(
  resource: Resource,
  operation: 'create' | 'invite',
  context: CommandContext,
): Promise<Input> {
  const procedure = `${resource.name}.${operation}`;
  // The parts of an object have options, and prompts, of their own.
  const fields = operationContract(resource.name, operation).fields.filter(({ kind }) => kind !== 'object');
  const answers: Answers = new Map();
  const ask = async (field: Field) => void answers.set(field, await askForField(field, procedure, context));
  for (const field of fields.filter(({ isRequired }) => isRequired)) await ask(field);
  const others = fields.filter(({ isRequired }) => !isRequired);
  for (const field of await chooseFields(others, context)) await ask(field);
  for (let field = wrongField(procedure, fields, answers); field !== undefined; ) {
    // Required in combination with the other answers.
    answers.set(field, await askForField({ ...field, isRequired: true }, procedure, context));
    field = wrongField(procedure, fields, answers);
  }
  context.io.stderr.write(`The same without prompts: ${commandOf([resource.name, operation], answers)}\n`);
  return parseInput(answers);
}
