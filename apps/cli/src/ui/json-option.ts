import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Column } from '../contract/columns.ts';
import type { OperationContract } from '../contract/fields.ts';
import { type CliError, didYouMean, usageError } from '../errors.ts';
import type { IoStreams } from './io-streams.ts';

type Returned = Pick<OperationContract, 'returned' | 'partsOf'>;

/** Fields that no later response has. */
const shownOnce = ['secret', 'link'];

const lists = new Set(['--json', '--jsonl', '--columns']);

/** Lists of the names and of the paths of fields; no id or option is one, but the name of a file may be a path. */
const nameList = /^[A-Za-z]\w*(, *[A-Za-z]\w*)*,?$/;

const pathList = /^[A-Za-z]\w*(\.[\w-]+)*(, *[A-Za-z]\w*(\.[\w-]+)*)*,?$/;

function isFieldList(word: string, { registeredArguments }: CommandUnknownOpts): boolean {
  if (word === '' || word.startsWith('-')) return false;
  if (registeredArguments.length === 0 || nameList.test(word)) return true;
  return pathList.test(word) && registeredArguments.every((argument) => argument.name() !== 'file');
}

/**
 * Joins `--json` with its fields, or with an empty value: otherwise the option would consume the id in `get --json <id>`. A list with
 * blanks behind its commas, `--json name, email`, is one. Arguments after `--` are unchanged.
 */
export function bindFields(argv: readonly string[], command: CommandUnknownOpts): string[] {
  const bound: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return [...bound, ...argv.slice(index)];
    if (!lists.has(word)) {
      bound.push(word);
      continue;
    }
    let fields = '';
    while ((fields === '' || fields.endsWith(',')) && isFieldList(argv[index + 1] ?? '', command)) {
      index += 1;
      fields += argv[index];
    }
    bound.push(...(word === '--columns' && fields === '' ? [word] : [`${word}=${fields}`]));
  }
  return bound;
}

const fieldsIn = (text: string) =>
  text
    .replace(/, *$/, '')
    .split(',')
    .map((field) => field.trim());

function checkField(field: string, option: string, { returned, partsOf }: Returned): void {
  const [first = '', ...parts] = field.split('.');
  const message = `${option}: there is no field ${field === '' ? '""' : field}`;
  if (!returned.includes(first)) {
    const all =
      returned.length > 0 ? `The fields are ${returned.join(', ')}.` : 'This command has no output.';
    throw usageError(message, `${didYouMean(first, returned)}${all}`);
  }
  if (parts.length === 0) return;
  const names = partsOf?.(first)?.map((name) => `${first}.${name}`);
  if (names === undefined || names.includes(field)) return;
  const all = names.length > 0 ? `The fields in it are ${names.join(', ')}.` : `${first} has no parts.`;
  throw usageError(message, `${didYouMean(field, names)}${all}`);
}

export function addColumns(command: CommandUnknownOpts): void {
  const text = 'Show these columns, in this order (name,address.city,metadata.unit)';
  command.addOption(
    new Option('--columns <fields>', text).conflicts(['json', 'jsonl', 'jq']).helpGroup('Output:'),
  );
}

export function columnsWanted(
  { columns }: Record<string, unknown>,
  contract: Returned,
  own: Column[],
): Column[] {
  if (typeof columns !== 'string') return own;
  return fieldsIn(columns).map((field) => {
    checkField(field, '--columns', contract);
    return { field, title: field.toUpperCase(), widthMin: COLUMN_WIDTH_MIN };
  });
}

const COLUMN_WIDTH_MIN = 8;

export function addJsonLines(command: CommandUnknownOpts): void {
  const text = 'Print each record as one line of JSON, as it arrives';
  command.addOption(new Option('--jsonl [fields]', text).conflicts('json').helpGroup('Output:'));
}

export function addJson(command: CommandUnknownOpts, { returned }: Returned): void {
  const text = 'Print JSON, with only these fields if you name any (name,address.city). Errors are JSON too';
  command.addOption(
    new Option('--json [fields]', returned.length > 0 ? text : 'Print errors as JSON').helpGroup('Output:'),
  );
  if (returned.length === 0) return;
  const filter = 'Print the JSON filtered by a jq expression; strings have no quotes';
  command.addOption(new Option('--jq <expression>', filter).helpGroup('Output:'));
}

/** The requested JSON output: one document or a record per line; with only these fields, or all if empty. */
export interface JsonWanted {
  isLines: boolean;
  fields: readonly string[];
}

/** Throws a usage error for invalid options. */
export async function jsonOutput(
  options: Record<string, unknown>,
  contract: Returned,
  io: IoStreams,
): Promise<{ json: JsonWanted | undefined; io: IoStreams }> {
  const json = jsonWanted(options, contract);
  if (typeof options.jq !== 'string') return { json, io };
  return { json, io: await filteredBy(options.jq, io) };
}

export function jsonWanted(
  { json, jsonl, jq }: Record<string, unknown>,
  contract: Returned,
): JsonWanted | undefined {
  const isLines = jsonl !== undefined;
  const option = isLines ? '--jsonl' : '--json';
  const given = isLines ? jsonl : json;
  if (given === undefined) return jq === undefined ? undefined : { isLines, fields: [] };
  if (typeof given !== 'string' || given === '') return { isLines, fields: [] };
  const fields = fieldsIn(given);
  for (const field of fields) checkField(field, option, contract);
  const { returned } = contract;
  const omitted = shownOnce.find((field) => returned.includes(field) && !fields.includes(field));
  if (omitted !== undefined) {
    throw usageError(
      `${option} omits ${omitted}, which is shown only once`,
      `Add ${omitted} to the fields, or leave out the fields.`,
    );
  }
  return { isLines, fields };
}

const COMPILE_ERROR = 3;

/** The message of jq, and below it the line of the expression in which jq points at the place. */
function filterError(stderr: string): CliError {
  const [first = '', ...shown] = stderr.split('\n').filter((line) => !/^jq: \d+ compile errors?$/.test(line));
  const message = first
    .replace(/^jq: error( \(at [^)]*\))?: /, '')
    .replace(/ at <top-level>, line \d+, column \d+:$/, '');
  return usageError(`--jq: ${message}`, shown.slice(0, 2).join('\n') || undefined);
}

/**
 * Filters every JSON text on stdout through a jq expression (jq 1.8). Throws a usage error for an invalid expression, before
 * anything is written.
 */
async function filteredBy(expression: string, io: IoStreams): Promise<IoStreams> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // Compiles the expression without running it.
  const checked = jq.raw(null, `empty |\n${expression}`);
  if (checked.exitCode === COMPILE_ERROR) throw filterError(checked.stderr);
  return {
    ...io,
    stdout: {
      ...io.stdout,
      write: (text) => {
        if (typeof text !== 'string') return io.stdout.write(text);
        const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-r']);
        if (stdout !== '') io.stdout.write(`${stdout}\n`);
        if (exitCode !== 0) throw filterError(stderr);
        return true;
      },
    },
  };
}
