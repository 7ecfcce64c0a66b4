import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createWhole, ensureDirectory, removeUnfinished, syncDirectory } from '../directories.ts';
import { codeOf, IncompatibleDataError, LocalPostgresUnavailable } from '../errors.ts';
import type { DataLayout } from '../layout.ts';
import { spawnAs } from '../users.ts';
import type { ServerLog } from './server-log.ts';

/**
 * Checks whether there is a cluster that these programs can open.
 *
 * @returns false if the data directory does not exist or is empty
 * @throws IncompatibleDataError if another major version of PostgreSQL wrote it
 * @throws LocalPostgresUnavailable if it contains anything else
 */
export async function clusterExists({ data, binaries }: DataLayout): Promise<boolean> {
  const names = await readdir(data).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new LocalPostgresUnavailable(`The data directory ${data} cannot be read: ${error.message}.`, {
      cause: error,
    });
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

/**
 * Creates a new cluster, whose superuser has the name of the layout, and the database of that name.
 *
 * @param sync whether to sync the files to disk
 * @throws LocalPostgresUnavailable with the last lines of the log if a program fails
 */
export async function createCluster(layout: DataLayout, log: ServerLog, sync: boolean): Promise<void> {
  await removeUnfinished(layout.home);
  // A process in another container, which does not see our lock, may be faster. Its cluster is as good.
  await createWhole(layout.data, async (directory) => {
    await ensureDirectory(directory, layout.owner, 0o700);
    const { initdb, postgres } = layout.binaries;
    const flags = ['-D', directory, '-U', layout.name, '-A', 'trust', '--encoding=UTF8', ...localeFlags()];
    await runProgram(layout, { program: initdb, log }, [...flags, ...(sync ? [] : ['--no-sync'])]);
    // initdb has created the database of this name.
    if (layout.name === 'postgres') return;
    // A PostgreSQL without sessions, which runs one statement.
    const input = `create database "${layout.name}" template template0\n`;
    const settings = ['exit_on_error=on', 'log_checkpoints=off', `fsync=${sync ? 'on' : 'off'}`];
    const options = settings.flatMap((setting) => ['-c', setting]);
    const single = ['--single', '-D', directory, ...options, 'postgres'];
    await runProgram(layout, { program: postgres, log, input }, single);
  });
  if (sync) await syncDirectory(layout.home);
}

interface Program {
  program: string;
  log: ServerLog;
  /** The text that it reads from stdin; none unless given. */
  input?: string;
}

async function runProgram(
  layout: DataLayout,
  { program, log, input }: Program,
  flags: string[],
): Promise<void> {
  const child = spawn(program, flags, {
    cwd: '/',
    // With a time zone set, initdb does not search all zones of the system for the local one.
    env: { TZ: 'UTC' },
    stdio: ['pipe', log.fd, log.fd],
    ...spawnAs(layout.owner),
  });
  // A program that cannot be run reads nothing.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const [code, signal] = await once(child, 'exit').catch((error) => {
    const hint = codeOf(error) === 'ENOENT' ? ' On Linux it needs the GNU C library.' : '';
    throw new LocalPostgresUnavailable(`${program} cannot be run: ${error.message}.${hint}`, {
      cause: error,
    });
  });
  if (code === 0) return;
  throw new LocalPostgresUnavailable(
    `No database could be created in ${layout.home} (${basename(program)}: ${signal ?? `exit code ${code}`}). ` +
      `The end of the log ${log.path}:\n${await log.tail()}\n`,
  );
}

/** Text sorts by code point and character classes are Unicode's on every platform. macOS has no locale C.UTF-8. */
function localeFlags(): string[] {
  return process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
}
