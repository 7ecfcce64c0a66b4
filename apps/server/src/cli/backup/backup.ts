import type { Writable } from 'node:stream';
import { createBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../../config/config.ts';
import { parseFileArgs, UsageError } from '../args.ts';
import { formatMegabytes, formatSecondsSince, formatSummary } from '../format.ts';
import type { ProcessIo } from '../process-io.ts';
import { withDatabase } from '../with-database.ts';
import { FileExists, writeFileAtomic } from '../write-file-atomic.ts';
import { backupUsage } from './backup-usage.ts';

/** `roster-server backup`: writes the whole database to a file or to stdout. */
export async function backup(io: ProcessIo): Promise<number> {
  const { stdout, environment, printError, showProgress, signal } = io;
  const { file, flags } = parseFileArgs(io.argv, ['replace'], backupUsage);
  const isPiped = file === undefined || file === '-';
  if (isPiped && stdout.isTTY)
    throw new UsageError(`A backup cannot be written to a terminal: name a file.\n\n${backupUsage}`);
  const startedAt = performance.now();
  const writeTo = (target: Writable): Promise<Summary> =>
    withDatabase(
      readConfig(environment),
      (message) => printError(`  ${message}`),
      (connection) =>
        createBackup({
          connection,
          target,
          signal,
          onProgress: ({ table, bytes }) => showProgress?.(`${table}: ${formatMegabytes(bytes)}`),
        }),
    );
  const summary = await (isPiped
    ? writeTo(stdout)
    : writeFileAtomic(file, flags.replace, writeTo).catch(explainExistingFile));
  printError(
    `Backed up ${formatSummary(summary)}${isPiped ? '' : `, to ${file}`}, in ${formatSecondsSince(startedAt)}.`,
  );
  return 0;
}

function explainExistingFile(error: unknown): never {
  if (!(error instanceof FileExists)) throw error;
  throw new UsageError(`${error.message} exists: name another file, or pass --replace.`);
}
