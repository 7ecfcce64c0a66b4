import type { ErrorCode } from '@roster/client';
import { closest, distance } from 'fastest-levenshtein';

export const exitCodes = { ok: 0, failed: 1, usage: 2, notAllowed: 4, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface CliErrorOptions {
  exitCode?: ExitCode;
  hint?: string | undefined;
  json?: object | undefined;
}

/** An error of the command line itself, and not of the service; `run` prints it. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly json: object | undefined;

  constructor(message: string, { exitCode = exitCodes.failed, hint, json }: CliErrorOptions = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
    this.json = json;
  }
}

/** An error in the command line that the user typed. Invalid values are reported by the service. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, hint });
}

/** The user interrupted a prompt; nothing is printed. */
export class Interrupted extends Error {}

/** The code of an error of the system, such as `ENOENT`; the error itself if it has none. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}

export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Whether an error came from the service with this code. Does not load the client, unlike `instanceof RosterError`. */
export function hasErrorCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof Error && error.name === 'RosterError' && 'code' in error && error.code === code;
}

/** The closest name by edit distance, if no more than half of its letters differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === word) ?? closest(typed, names);
  if (found === undefined) return undefined;
  const letters = Math.max(found.length, word.length);
  return distance(word, found.toLowerCase()) <= letters / 2 ? found : undefined;
}

/** `Did you mean …? ` after a typo; empty if no name is close. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const found = nearest(typed, names);
  return found === undefined ? '' : `Did you mean ${found}? `;
}

/**
 * `Did you mean …? ` after an unknown option: the options that contain it as a word (`--city` suggests `--address-city`) or
 * begin it, else the closest one.
 */
export function didYouMeanOption(flag: string, options: readonly string[]): string {
  const [word = ''] = flag.replace(/^-+/, '').toLowerCase().split('=');
  const containing = options.filter((long) => long.slice(2).split('-').includes(word));
  // The whole name of an option is a part of what was typed: `--country-code` suggests `--country`.
  const beginning = options.filter((long) => `--${word}`.startsWith(`${long}-`));
  if (containing.length === 0 && beginning.length > 0) return `Did you mean ${beginning.join(' or ')}? `;
  if (containing.length > 0) return `Did you mean ${containing.slice(0, 3).join(' or ')}? `;
  return didYouMean(`--${word}`, options);
}
