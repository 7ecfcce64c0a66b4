import { execFile } from 'node:child_process';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { createWhole, ensureDirectory } from './directories.ts';
import { codeOf, IncompatibleDataError, LocalPostgresUnavailable } from './errors.ts';
import type { DataLayout } from './layout.ts';
import { spawnAs } from './users.ts';

/**
 * Checks for a cluster these programs can open.
 *
 * @returns false if the data directory is missing or empty
 * @throws IncompatibleDataError if another major version wrote it
 * @throws LocalPostgresUnavailable if it contains anything else
 */
export async function clusterExists({ data, binaries }: DataLayout): Promise<boolean> {
  const names = await readdir(data).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return false;
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new LocalPostgresUnavailable(
      `${data} contains files, but no PostgreSQL data (no PG_VERSION): move them away.`,
    );
  }
  if (version.trim() === binaries.major) return true;
  throw new IncompatibleDataError(
    `The data in ${data} were written by PostgreSQL ${version.trim()}, and this is PostgreSQL ` +
      `${binaries.major}, which cannot open them.`,
  );
}

/** Throws LocalPostgresUnavailable with the output of a failed program. */
export async function createCluster(layout: DataLayout, isSynced: boolean): Promise<void> {
  const { name, home, data, owner, binaries } = layout;
  // Text sorts by code point, with Unicode's character classes on every platform. macOS has no locale
  // C.UTF-8.
  const isMac = process.platform === 'darwin';
  const locale = isMac ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
  const [noSync, noFsync] = isSynced ? [[], []] : [['--no-sync'], ['-F']];
  const flags = ['-U', name, '-A', 'trust', '--encoding=UTF8', ...locale, ...noSync];
  await createWhole(data, 0, async (directory) => {
    await ensureDirectory(directory, owner, 0o700);
    await runProgram(layout, binaries.initdb, ['-D', directory, ...flags]);
    // initdb already created this database.
    if (name === 'postgres') return;
    // A PostgreSQL without sessions, which runs one statement.
    const single = ['--single', '-D', directory, '-c', 'exit_on_error=on', ...noFsync, 'postgres'];
    await runProgram(layout, binaries.postgres, single, `create database "${name}" template template0\n`);
  });
  // So that the cluster keeps its name after a power failure.
  await using directory = await open(home);
  await directory.sync();
}

async function runProgram(layout: DataLayout, program: string, flags: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(program, flags, {
    cwd: '/',
    // With a time zone set, initdb does not search for the local one.
    env: { TZ: 'UTC' },
    ...spawnAs(layout.owner),
  });
  // A program that failed to start reads nothing.
  running.child.stdin?.on('error', () => undefined).end(input);
  await running.catch((cause) => {
    const { code, signal, stderr } = cause;
    const how =
      typeof code === 'string'
        ? `cannot be run: ${cause.message}. On Linux it needs the GNU C library`
        : `ended with ${signal ?? `exit code ${code}`}:\n${stderr.trim()}\n`;
    const message = `No database could be created in ${layout.home}: ${basename(program)} ${how}`;
    throw new LocalPostgresUnavailable(message, { cause });
  });
}
