import { open } from 'node:fs/promises';
import { checkBackup, type Restored, restoreBackup } from '@roster/db/backup';
import { readConfig } from '../../config/config.ts';
import { parseFileArgs, UsageError } from '../args.ts';
import { formatMegabytes, formatSecondsSince, formatSummary } from '../format.ts';
import type { ProcessIo } from '../process-io.ts';
import { withDatabase } from '../with-database.ts';
import { restoreUsage } from './backup-usage.ts';

/** `roster-server restore`: loads a backup into an empty database, or with `--check` only verifies the file. */
export async function restore(io: ProcessIo): Promise<number> {
  const { stdin, environment, printError, showProgress, signal } = io;
  const { file, flags } = parseFileArgs(io.argv, ['check', 'after-loss'], restoreUsage);
  if (file === undefined) throw new UsageError(`A file is required.\n\n${restoreUsage}`);
  const startedAt = performance.now();
  const source = file === '-' ? stdin : (await open(file)).createReadStream();
  if (flags.check) {
    printError(`The backup is complete: ${formatSummary(await checkBackup({ source, signal }))}.`);
    return 0;
  }
  const restored = await withDatabase(
    readConfig(environment),
    (message) => printError(`  ${message}`),
    (connection) =>
      restoreBackup({
        connection,
        source,
        isAfterLoss: flags['after-loss'],
        signal,
        onProgress: ({ table, bytes }) => showProgress?.(`${table}: ${formatMegabytes(bytes)}`),
      }),
  );
  for (const line of formatResult(restored)) printError(line);
  printError(`Restored ${formatSummary(restored)}, in ${formatSecondsSince(startedAt)}.`);
  if (!flags['after-loss']) printError(HINT);
  return 0;
}

const HINT =
  'The event log continues where the backup ends. If the service accepted changes after that, restore with --after-loss.';

function formatResult({ migrated, leftOut }: Restored): string[] {
  return [
    ...migrated.map((name) => `  migrated: ${name}`),
    ...leftOut.map((name) => `  left out, because this release has no such table: ${name}`),
  ];
}
