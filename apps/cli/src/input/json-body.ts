import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../context/command-context.ts';
import { codeOf, usageError } from '../errors/errors.ts';
import type { Input } from '../options/fields.ts';
import { readInput } from '../terminal/io-streams.ts';

async function readBodyFile(path: string, option: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw usageError(`${option} cannot read ${path} (${codeOf(error)})`);
  }
}

/**
 * Parses the JSON object in the value of an option (`--data`): literal, from a file (`@file`), or from stdin (`-` or `@-`).
 * Throws a usage error if it is not a JSON object.
 */
export async function readBody(
  data: string,
  { io, callOptions }: Pick<CommandContext, 'io' | 'callOptions'>,
  option = '--data',
): Promise<Input> {
  const isInput = data === '-' || data === '@-';
  const text = isInput
    ? await readInput(io, callOptions.signal)
    : data.startsWith('@')
      ? await readBodyFile(data.slice(1), option)
      : data;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw usageError(`${option} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw usageError(`${option} takes a JSON object`);
  return body as Input;
}
