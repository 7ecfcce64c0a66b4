import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Io } from '../context/io-streams.ts';
import type { VerbContract } from '../contract/types.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { usageError } from '../errors/errors.ts';
import type { Column } from '../resources.ts';

/** A list of field names, which no id and no option looks like. */
const fieldList = /^[A-Za-z]\w*(, *[A-Za-z]\w*)*$/;

/**
 * Binds `--json` to its fields, or to none: by itself the option would swallow the id in `get --json <id>`.
 * Arguments after `--` are left as they are.
 */
export function bindJsonFields(argv: readonly string[]): string[] {
  const bound: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return [...bound, ...argv.slice(index)];
    const fields = argv[index + 1] ?? '';
    if (word !== '--json' && word !== '--jsonl') bound.push(word);
    else if (fieldList.test(fields)) {
      bound.push(`${word}=${fields}`);
      index += 1;
    } else bound.push(`${word}=`);
  }
  return bound;
}

/** Gives a command with a table `--columns`. */
export function addColumns(command: CommandUnknownOpts): void {
  const text = 'Show these fields, in this order: name,address.city,metadata.unit';
  command.addOption(
    new Option('--columns <fields>', text).conflicts(['json', 'jsonl', 'jq']).helpGroup('Output:'),
  );
}

/** The columns that `--columns` asks for, else those of the command. Throws a usage error for a field there is not. */
export function columnsWanted(
  { columns }: Record<string, unknown>,
  { answers }: Pick<VerbContract, 'answers'>,
  own: Column[],
): Column[] {
  if (typeof columns !== 'string') return own;
  return columns.split(',').map((text) => {
    const place = text.trim();
    const [field = ''] = place.split('.');
    const isExpanded = own.some((column) => column.place.startsWith(`${field}.`));
    if (answers.includes(field) || isExpanded)
      return { place, title: place.toUpperCase(), widthMin: COLUMN_WIDTH_MIN };
    throw usageError(
      `--columns: there is no field ${place === '' ? '""' : place}`,
      `${didYouMean(field, answers)}The fields are ${answers.join(', ')}.`,
    );
  });
}

const COLUMN_WIDTH_MIN = 8;

/** Gives a command that answers many records `--jsonl`. */
export function addJsonLines(command: CommandUnknownOpts): void {
  const text = 'Print each record as JSON on a line of its own, as it comes';
  command.addOption(new Option('--jsonl [fields]', text).conflicts('json').helpGroup('Output:'));
}

/** Gives a command `--json`. */
export function addJson(command: CommandUnknownOpts, { answers }: Pick<VerbContract, 'answers'>): void {
  const text = 'Print JSON, with just these fields if any are named; errors too';
  command.addOption(
    new Option('--json [fields]', answers.length > 0 ? text : 'Print errors as JSON').helpGroup('Output:'),
  );
  if (answers.length === 0) return;
  const filter = 'Print what a jq expression makes of the JSON, strings without quotes';
  command.addOption(new Option('--jq <expression>', filter).helpGroup('Output:'));
}

/** How records are wanted: as JSON, whole or each on a line, with just these fields or (empty) with all. */
export interface JsonWanted {
  isLines: boolean;
  fields: readonly string[];
}

/** The io and the JSON that the options of a command ask for. Throws a usage error for what they cannot. */
export async function jsonOutput(
  options: Record<string, unknown>,
  contract: Pick<VerbContract, 'answers'>,
  io: Io,
): Promise<{ json: JsonWanted | undefined; io: Io }> {
  const json = jsonWanted(options, contract);
  if (typeof options.jq !== 'string') return { json, io };
  const { filteredBy } = await import('../output/jq.ts');
  return { json, io: await filteredBy(options.jq, io) };
}

/** What `--json`, `--jsonl` or `--jq` asks for; undefined without them. Throws a usage error for a field there is not. */
export function jsonWanted(
  { json, jsonl, jq }: Record<string, unknown>,
  { answers }: Pick<VerbContract, 'answers'>,
): JsonWanted | undefined {
  const isLines = jsonl !== undefined;
  const option = isLines ? '--jsonl' : '--json';
  const given = isLines ? jsonl : json;
  if (given === undefined) return jq === undefined ? undefined : { isLines, fields: [] };
  if (typeof given !== 'string' || given === '') return { isLines, fields: [] };
  const fields = given.split(',').map((field) => field.trim());
  const unknown = fields.find((field) => !answers.includes(field));
  if (unknown !== undefined) {
    const all =
      answers.length > 0 ? `The fields are ${answers.join(', ')}.` : 'This command answers nothing.';
    throw usageError(`${option}: there is no field ${unknown}`, `${didYouMean(unknown, answers)}${all}`);
  }
  if (answers.includes('secret') && !fields.includes('secret')) {
    throw usageError(
      `${option} leaves out secret, which is shown this once`,
      'Name it too, or no fields at all.',
    );
  }
  return { isLines, fields };
}
