import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { VerbContract } from './contract.ts';
import { usageError } from './failures.ts';
import { didYouMean } from './nearest.ts';

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
}

/** How records are wanted: as JSON, whole or each on a line, with just these fields or (empty) with all. */
export interface JsonWanted {
  isLines: boolean;
  fields: readonly string[];
}

/** What `--json` or `--jsonl` asks for; undefined without them. Throws a usage error for a field there is not. */
export function jsonWanted(
  { json, jsonl }: Record<string, unknown>,
  { answers }: Pick<VerbContract, 'answers'>,
): JsonWanted | undefined {
  const isLines = jsonl !== undefined;
  const option = isLines ? '--jsonl' : '--json';
  const given = isLines ? jsonl : json;
  if (given === undefined) return undefined;
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
