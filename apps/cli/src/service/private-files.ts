import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { CliError, codeOf, exitCodes } from '../errors.ts';

export function unusable(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, hint });
}

/**
 * Reads a file that only its owner may read or write; undefined if it doesn't exist. Throws `CliError` if others can read it,
 * or it is unreadable. `what` names its content: `key`.
 */
export function readPrivate(file: string, what: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // Windows has no such mode: every file there looks readable by everyone.
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    if (isOpen)
      throw unusable(`the ${what} in ${file} can be read by other users`, `Restrict it: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw unusable(
      `the ${what} in ${file} cannot be read (${codeOf(error)})`,
      'Pass --url and --key instead.',
    );
  }
}

/** Replaces a file with JSON atomically, readable by its owner only. Throws the error of the system if it cannot be written. */
export function replacePrivate(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
