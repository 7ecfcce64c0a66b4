import { createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { BackupError, createBackup, restoreBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../config/config.ts';
import { CommandError, fileIn, type Invocation, UsageError } from './command.ts';
import { exitCodeOf, listenForStop, type StopSignal } from './stop-signals.ts';
import { withDatabase } from './with-database.ts';

export async function backup({ args, environment, printError }: Invocation): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const file = requiredFile(positionals);
  const summary = await writeNewFile(file, (target) =>
    withDatabase(readConfig(environment), printError, (connection) => createBackup(connection, target)),
  ).catch(forPeople);
  printError(`Backed up ${describe(summary)}, to ${file}.`);
  return 0;
}

export async function restore({ args, environment, printError }: Invocation): Promise<number> {
  const options = { 'after-loss': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const isAfterLoss = values['after-loss'];
  const source = (await open(requiredFile(positionals))).createReadStream();
  const stopListening = exitOnStop();
  const restored = await withDatabase(readConfig(environment), printError, (connection) =>
    restoreBackup(connection, source, { isAfterLoss }),
  )
    .catch(forPeople)
    .finally(stopListening);
  for (const name of restored.leftOut)
    printError(`Left out, because this release has no such table: ${name}.`);
  printError(`Restored ${describe(restored)}.`);
  if (!isAfterLoss)
    printError(
      'The event log continues where the backup ends. If the service accepted changes after that, restore with --after-loss.',
    );
  return 0;
}

function requiredFile(positionals: string[]): string {
  const file = fileIn(positionals);
  if (file === undefined) throw new UsageError('A file is required.');
  return file;
}

function forPeople(error: unknown): never {
  throw error instanceof BackupError ? new CommandError(error.message) : error;
}

function describe({ takenAt, rows }: Summary): string {
  return `${rows.toLocaleString('en')} rows, the state of ${takenAt.toISOString()}`;
}

/** Mode 0600, flushed to the disk. Nothing is left behind if `write` fails or the process is told to stop. */
async function writeNewFile<Result>(
  path: string,
  write: (target: Writable) => Promise<Result>,
): Promise<Result> {
  let target: WriteStream | undefined;
  const remove = () => {
    if (target !== undefined) rmSync(path, { force: true });
  };
  // Before the file is created, which takes no turn of the event loop: a signal in between would leave the file.
  const stopListening = exitOnStop(remove);
  try {
    target = createWriteStream(path, { fd: openSync(path, 'wx', 0o600), flush: true });
    return await write(target);
  } catch (error) {
    target?.destroy();
    remove();
    throw error;
  } finally {
    stopListening();
  }
}

/** PostgreSQL rolls back; a local one stops with the process. */
function exitOnStop(cleanUp: () => void = () => undefined): () => void {
  const stop = (signal: StopSignal) => {
    cleanUp();
    process.exit(exitCodeOf(signal));
  };
  return listenForStop(stop, stop);
}
