import type { Session } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';
import { type Input, merged } from '../input/fields.ts';
import { faultsOf } from '../input/validation.ts';
import type { Noun } from '../resources.ts';
import { askForField, inputWith, labelOf, type Texts } from './ask-for-field.ts';
import { answered, contextOf, themeFor } from './ask-line.ts';

type Answers = Map<Field, Texts>;

/** Lines of a list of fields to choose from. */
const LINES = 12;

function inputOf(answers: Answers): Input {
  const given = [...answers].filter(([, texts]) => texts.length > 0);
  return given.reduce<Input>((input, [field, texts]) => merged(input, inputWith(field, texts)), {});
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function commandOf({ name }: Noun, answers: Answers): string {
  const options = [...answers].flatMap(([{ flag }, texts]) =>
    [texts].flat().flatMap((text) => (text === '' ? [] : [`--${flag}`, quoted(text)])),
  );
  return ['roster', name, 'create', ...options].join(' ');
}

/** Lets a person choose fields to be asked for. */
async function chooseFields(fields: Field[], { io, callOptions }: Session): Promise<Field[]> {
  if (fields.length === 0) return [];
  const { default: checkbox } = await import('@inquirer/checkbox');
  const choices = fields.map((field) => ({
    value: field,
    name: labelOf(field),
    short: labelOf(field),
    description: field.description,
  }));
  const config = {
    message: 'More fields? (space chooses, enter goes on)',
    choices,
    pageSize: LINES,
    loop: false,
    theme: themeFor(io.stderr.color),
  };
  return answered(checkbox(config, contextOf(io, callOptions.signal)));
}

/** The first field that is wrong in the whole of the answers: the missing half of a pair, say. */
async function wrongField(procedure: string, fields: Field[], answers: Answers): Promise<Field | undefined> {
  for (const { pointer } of await faultsOf(procedure, inputOf(answers))) {
    const field = fields.find(({ path }) => pointer === `#/${path.join('/')}`);
    if (field !== undefined) return field;
  }
  return undefined;
}

/**
 * Asks a person for a new record, field by field: those that are required, and then those they choose. Says in the end
 * how to give the same without questions. Throws `Interrupted` where they leave.
 */
export async function askForRecord(noun: Noun, session: Session): Promise<Input> {
  const procedure = `${noun.name}.create`;
  // An object has an option, and here a question, for each of its parts.
  const fields = verbContract(noun.name, 'create').fields.filter(({ kind }) => kind !== 'object');
  const answers: Answers = new Map();
  const ask = async (field: Field) => void answers.set(field, await askForField(field, procedure, session));
  for (const field of fields.filter(({ isRequired }) => isRequired)) await ask(field);
  const others = fields.filter(({ isRequired }) => !isRequired);
  for (const field of await chooseFields(others, session)) await ask(field);
  for (let field = await wrongField(procedure, fields, answers); field !== undefined; ) {
    // The answers need this one, whether or not a record does.
    answers.set(field, await askForField({ ...field, isRequired: true }, procedure, session));
    field = await wrongField(procedure, fields, answers);
  }
  session.io.stderr.write(`The same without questions: ${commandOf(noun, answers)}\n`);
  return inputOf(answers);
}
