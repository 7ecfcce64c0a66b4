import { type Command, Option } from '@commander-js/extra-typings';
import type { VerbContract } from './contract.ts';
import { usageError } from './failures.ts';

/** A list of field names, which no id and no option looks like. */
const fieldList = /^[a-z][A-Za-z]*(,[a-z][A-Za-z]*)*$/;

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
    if (word !== '--json') bound.push(word);
    else if (fieldList.test(fields)) {
      bound.push(`--json=${fields}`);
      index += 1;
    } else bound.push('--json=');
  }
  return bound;
}

/** Gives a command `--json`. */
export function addJson(command: Command, { answers }: VerbContract): void {
  const text = 'Print JSON, with just these fields if any are named; errors too';
  command.addOption(
    new Option('--json [fields]', answers.length > 0 ? text : 'Print errors as JSON').helpGroup('Output:'),
  );
}

/** The fields that `--json` names; empty for all, undefined without it. Throws a usage error for one there is not. */
export function jsonFieldsOf(json: unknown, { answers }: VerbContract): string[] | undefined {
  if (json === undefined) return undefined;
  if (typeof json !== 'string' || json === '') return [];
  const fields = json.split(',');
  const unknown = fields.find((field) => !answers.includes(field));
  if (unknown !== undefined) {
    throw usageError(
      `--json: there is no field ${unknown}`,
      answers.length > 0 ? `The fields are ${answers.join(', ')}.` : 'This command answers nothing.',
    );
  }
  if (answers.includes('secret') && !fields.includes('secret')) {
    throw usageError(
      '--json leaves out secret, which is shown this once',
      'Name it too, or no fields at all.',
    );
  }
  return fields;
}
