import { readFile } from 'node:fs/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Field } from '../contract/fields.ts';
import { decodeText, rejectLostParts } from '../contract/lossless-text.ts';
import { type Input, isObject, merged, parseInput } from '../contract/options.ts';
import { codeOf, usageError } from '../errors.ts';
import { readInput } from '../ui/io-streams.ts';
import type { CommandContext } from './context.ts';

async function readBodyFile(path: string, option: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw usageError(`${option} cannot read ${path} (${codeOf(error)})`);
  });
  return decodeText(bytes, path);
}

/**
 * Parses the JSON object in the value of an option: literal, from a file (`@file`), or from stdin (`-` or `@-`). Throws a
 * usage error if it isn't a JSON object, or would be changed by sending it.
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
  if (!isObject(body)) throw usageError(`${option} takes a JSON object`);
  rejectLostParts(text, body, option);
  return body;
}

export function addData(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.option(
    '--data <json>',
    'The fields as JSON, @file, or - for stdin. Options take precedence',
  );
}

export async function inputWithData(
  fields: Field[],
  options: Readonly<Record<string, unknown>>,
  context: Pick<CommandContext, 'io' | 'callOptions'>,
): Promise<Input> {
  const given = parseInput(fields, { ...options });
  return typeof options.data === 'string' ? merged(await readBody(options.data, context), given) : given;
}
