import type { Writable } from 'node:stream';
import { createBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../config/config.ts';
import { parseFileArgs, UsageError } from './args.ts';
import { backupUsage } from './backup-commands.ts';
import { inMegabytes, inWords, secondsSince } from './format.ts';
import type { Transfer } from './process-io.ts';
import { withDatabase } from './with-database.ts';
import { FileExists, writeWholeFile } from './write-file-atomic.ts';

/** `roster-server backup`: everything into one file, or into a pipe. */
export async function backup(transfer: Transfer): Promise<number> {
  const { stdout, environment, say, sayProgress, signal } = transfer;
  const { file, flags } = parseFileArgs(transfer.argv, ['replace'], backupUsage);
  const isPiped = file === undefined || file === '-';
  if (isPiped && stdout.isTTY) throw new UsageError(`A terminal is no place for a backup.\n\n${backupUsage}`);
  const startedAt = performance.now();
  const take = (target: Writable): Promise<Summary> =>
    withDatabase(
      readConfig(environment),
      (message) => say(`  ${message}`),
      (connection) =>
        createBackup({
          connection,
          target,
          signal,
          onProgress: ({ table, bytes }) => sayProgress?.(`${table}: ${inMegabytes(bytes)}`),
        }),
    );
  const taken = await (isPiped ? take(stdout) : writeWholeFile(file, flags.replace, take).catch(explain));
  say(`Backed up ${inWords(taken)}${isPiped ? '' : `, to ${file}`}, in ${secondsSince(startedAt)}.`);
  return 0;
}

function explain(error: unknown): never {
  if (!(error instanceof FileExists)) throw error;
  throw new UsageError(`${error.message} is there already: name another file, or say --replace.`);
}
