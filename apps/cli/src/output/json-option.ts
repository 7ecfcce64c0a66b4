import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Column } from '../columns.ts';
import type { OperationContract } from '../contract/types.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { usageError } from '../errors/errors.ts';
import type { IoStreams } from '../terminal/io-streams.ts';

/** Fields that no later answer has. */
const shownOnce = ['secret', 'link'];

/** A list of field names; ids and options never match it. */
const fieldList = /^[A-Za-z]\w*(, *[A-Za-z]\w*)*$/;

/**
 * Joins `--json` with its fields, or with an empty value: otherwise the option would consume the id in `get --json <id>`.
 * Arguments after `--` are unchanged.
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

/** Adds `--columns` to a command that prints a table. */
export function addColumns(command: CommandUnknownOpts): void {
  const text = 'Show these fields, in this order: name,address.city,metadata.unit';
  command.addOption(
    new Option('--columns <fields>', text).conflicts(['json', 'jsonl', 'jq']).helpGroup('Output:'),
  );
}

/** The columns in `--columns`, else those of the command. Throws a usage error for an unknown field. */
export function columnsWanted(
  { columns }: Record<string, unknown>,
  { answers }: Pick<OperationContract, 'answers'>,
  own: Column[],
): Column[] {
  if (typeof columns !== 'string') return own;
  return columns.split(',').map((text) => {
    const field = text.trim();
    const [parent = ''] = field.split('.');
    const isExpanded = own.some((column) => column.field.startsWith(`${parent}.`));
    if (answers.includes(parent) || isExpanded)
      return { field, title: field.toUpperCase(), widthMin: COLUMN_WIDTH_MIN };
    throw usageError(
      `--columns: there is no field ${field === '' ? '""' : field}`,
      `${didYouMean(parent, answers)}The fields are ${answers.join(', ')}.`,
    );
  });
}

const COLUMN_WIDTH_MIN = 8;

/** Adds `--jsonl` to a command that prints many records. */
export function addJsonLines(command: CommandUnknownOpts): void {
  const text = 'Print each record as one line of JSON, as it arrives';
  command.addOption(new Option('--jsonl [fields]', text).conflicts('json').helpGroup('Output:'));
}

/** Adds `--json`, and `--jq` if the command has output. */
export function addJson(command: CommandUnknownOpts, { answers }: Pick<OperationContract, 'answers'>): void {
  const text = 'Print JSON, with only these fields if any are given; errors too';
  command.addOption(
    new Option('--json [fields]', answers.length > 0 ? text : 'Print errors as JSON').helpGroup('Output:'),
  );
  if (answers.length === 0) return;
  const filter = 'Print the JSON filtered by a jq expression, strings without quotes';
  command.addOption(new Option('--jq <expression>', filter).helpGroup('Output:'));
}

/** The requested JSON output: one document or a record per line; with only these fields, or all if empty. */
export interface JsonWanted {
  isLines: boolean;
  fields: readonly string[];
}

/** The streams and the JSON output that the options of a command select. Throws a usage error for invalid options. */
export async function jsonOutput(
  options: Record<string, unknown>,
  contract: Pick<OperationContract, 'answers'>,
  io: IoStreams,
): Promise<{ json: JsonWanted | undefined; io: IoStreams }> {
  const json = jsonWanted(options, contract);
  if (typeof options.jq !== 'string') return { json, io };
  const { filteredBy } = await import('./jq.ts');
  return { json, io: await filteredBy(options.jq, io) };
}

/** The JSON output selected by `--json`, `--jsonl` or `--jq`; undefined without them. Throws a usage error for an unknown field. */
export function jsonWanted(
  { json, jsonl, jq }: Record<string, unknown>,
  { answers }: Pick<OperationContract, 'answers'>,
): JsonWanted | undefined {
  const isLines = jsonl !== undefined;
  const option = isLines ? '--jsonl' : '--json';
  const given = isLines ? jsonl : json;
  if (given === undefined) return jq === undefined ? undefined : { isLines, fields: [] };
  if (typeof given !== 'string' || given === '') return { isLines, fields: [] };
  const fields = given.split(',').map((field) => field.trim());
  const unknown = fields.find((field) => !answers.includes(field));
  if (unknown !== undefined) {
    const all = answers.length > 0 ? `The fields are ${answers.join(', ')}.` : 'This command has no output.';
    throw usageError(`${option}: there is no field ${unknown}`, `${didYouMean(unknown, answers)}${all}`);
  }
  const omitted = shownOnce.find((field) => answers.includes(field) && !fields.includes(field));
  if (omitted !== undefined) {
    throw usageError(
      `${option} omits ${omitted}, which is shown only once`,
      `Add ${omitted} to the fields, or leave out the fields.`,
    );
  }
  return { isLines, fields };
}
