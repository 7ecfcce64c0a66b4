import { parseArgs } from 'node:util';

/** The command was not called as it must be. */
export class UsageError extends Error {}

/**
 * The options and the one file of a command line; `-` counts as a file.
 * @throws UsageError with the usage where anything else stands there
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
