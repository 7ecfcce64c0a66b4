import { createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import process from 'node:process';
import { type Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { BackupError, createBackup, restoreBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../config/config.ts';
import { CommandError, fileIn, type Invocation, UsageError } from './command.ts';
import { exitCodeOf, listenForStop, type StopSignal } from './stop-signals.ts';
import { withDatabase } from './with-database.ts';

/** As a file: standard input or output. */
const STANDARD = '-';

export async function backup({ args, environment, printError }: Invocation): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const file = requiredFile(positionals);
  const write = (target: Writable) =>
    withDatabase(readConfig(environment), printError, (connection) => createBackup(connection, target));
  const isStandard = file === STANDARD;
  if (isStandard && process.stdout.isTTY)
    throw new CommandError('A backup is no text for a terminal: send it to a file, as in backup - > FILE.');
  const summary = await (isStandard ? write(standardOutput()) : writeNewFile(file, write)).catch(forPeople);
  printError(`Backed up ${describe(summary)}, to ${isStandard ? 'standard output' : file}.`);
  return 0;
}

export async function restore({ args, environment, printError }: Invocation): Promise<number> {
  const options = { 'after-loss': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const isAfterLoss = values['after-loss'];
  const source = await sourceOf(requiredFile(positionals)).catch(forPeople);
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

async function sourceOf(file: string): Promise<Readable> {
  return file === STANDARD ? process.stdin : (await open(file)).createReadStream();
}

/** Leaves the stream of the process open. */
function standardOutput(): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => void process.stdout.write(chunk, done),
  });
}

function forPeople(error: unknown): never {
  if (error instanceof BackupError) throw new CommandError(error.message);
  const { code, path } = Object(error);
  if (code === 'EEXIST') throw new CommandError(`${path} exists already, and a backup replaces no file.`);
  if (code === 'ENOENT')
    throw new CommandError(`${path} can't be opened: there is no such file or directory.`);
  throw error;
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
