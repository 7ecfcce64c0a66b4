import { parseArgs } from 'node:util';

/** The arguments of a command are invalid. */
export class UsageError extends Error {}

/**
 * Parses options without values and at most one file; `-` counts as a file.
 *
 * @param flags the names of the options, without dashes
 * @throws UsageError, whose message ends with the usage, if there is any other argument
 */
export function parseFileArgs<Flag extends string>(
  argv: string[],
  flags: readonly Flag[],
  usage: string,
): { file: string | undefined; flags: Record<Flag, boolean> } {
  const options = Object.fromEntries(
    flags.map((name) => [name, { type: 'boolean' as const, default: false }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`one file, not ${positionals.length}`);
    return { file: positionals[0], flags: values as Record<Flag, boolean> };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}
