import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../../config/config.ts';
import { fileIn, UsageError } from '../command.ts';
import { formatMegabytes, formatSecondsSince, formatSummary } from '../format.ts';
import type { LongInvocation } from '../run-with-progress.ts';
import { withDatabase } from '../with-database.ts';
import { writeFileAtomic } from '../write-file-atomic.ts';

/** `roster-server backup`: writes the whole database to a file or to stdout. */
export async function backup(invocation: LongInvocation): Promise<void> {
  const { args, stdout, environment, printError, showProgress, signal } = invocation;
  const options = { replace: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const file = fileIn(positionals);
  const isPiped = file === undefined || file === '-';
  if (isPiped && stdout.isTTY) throw new UsageError('A backup cannot be written to a terminal: name a file.');
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
  const summary = await (isPiped ? writeTo(stdout) : writeFileAtomic(file, values.replace, writeTo));
  printError(
    `Backed up ${formatSummary(summary)}${isPiped ? '' : `, to ${file}`}, in ${formatSecondsSince(startedAt)}.`,
  );
}
