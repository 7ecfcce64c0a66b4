import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/command-context.ts';

/** Adds `--wait` and `--no-wait` to a command that starts a job. */
export function addWait(command: CommandUnknownOpts): void {
  command.addOption(new Option('--wait', 'Wait until the job has ended; the default on a terminal'));
  command.addOption(new Option('--no-wait', 'Do not wait; the default in a pipe and with --json'));
}

/**
 * Whether a command waits for the job that it starts: as the options say, else on a terminal, where somebody watches. In a pipe
 * the job is printed as it was accepted.
 */
export function isAwaited(
  { wait }: Record<string, unknown>,
  { io, json }: Pick<CommandContext, 'io' | 'json'>,
): boolean {
  if (typeof wait === 'boolean') return wait;
  const isWatched = io.isTerminal && json === undefined;
  return isWatched;
}
