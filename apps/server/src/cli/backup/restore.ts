import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkBackup, type Restored, restoreBackup } from '@roster/db/backup';
import { readConfig } from '../../config/config.ts';
import { fileIn, UsageError } from '../command.ts';
import { formatMegabytes, formatSecondsSince, formatSummary } from '../format.ts';
import type { LongInvocation } from '../run-with-progress.ts';
import { withDatabase } from '../with-database.ts';

/** `roster-server restore`: loads a backup into an empty database, or with `--check` only verifies the file. */
export async function restore(invocation: LongInvocation): Promise<void> {
  const { args, stdin, environment, printError, showProgress, signal } = invocation;
  const flag = { type: 'boolean', default: false } as const;
  const options = { check: flag, 'after-loss': flag };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const file = fileIn(positionals);
  if (file === undefined) throw new UsageError('A file is required.');
  const startedAt = performance.now();
  const source = file === '-' ? stdin : (await open(file)).createReadStream();
  if (values.check) {
    printError(`The backup is complete: ${formatSummary(await checkBackup({ source, signal }))}.`);
    return;
  }
  const restored = await withDatabase(
    readConfig(environment),
    (message) => printError(`  ${message}`),
    (connection) =>
      restoreBackup({
        connection,
        source,
        isAfterLoss: values['after-loss'],
        signal,
        onProgress: ({ table, bytes }) => showProgress?.(`${table}: ${formatMegabytes(bytes)}`),
      }),
  );
  for (const line of formatResult(restored)) printError(line);
  printError(`Restored ${formatSummary(restored)}, in ${formatSecondsSince(startedAt)}.`);
  if (!values['after-loss']) printError(HINT);
}

const HINT =
  'The event log continues where the backup ends. If the service accepted changes after that, restore with --after-loss.';

function formatResult({ migrated, leftOut }: Restored): string[] {
  return [
    ...migrated.map((name) => `  migrated: ${name}`),
    ...leftOut.map((name) => `  left out, because this release has no such table: ${name}`),
  ];
}
