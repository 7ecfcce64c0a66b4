import type { Writable } from 'node:stream';
import { type Summary, takeBackup } from '@roster/db/backup';
import { readConfig } from '../config.ts';
import { withDatabase } from './database.ts';
import { parseFileArgs, UsageError } from './file-args.ts';
import { backupUsage } from './keeping.ts';
import { inMegabytes, inWords, secondsSince } from './summary.ts';
import type { Transfer } from './transfer.ts';
import { FileExists, writeWholeFile } from './whole-file.ts';

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
        takeBackup({
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
