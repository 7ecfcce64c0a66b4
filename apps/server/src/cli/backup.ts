import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createBackup, type Restored, restoreBackup, type Summary } from '@roster/db/backup';
import { readConfig } from '../config/config.ts';
import { fileIn, UsageError } from './command.ts';
import { formatMegabytes, formatSecondsSince, formatSummary } from './format.ts';
import type { LongInvocation } from './run-with-progress.ts';
import { withDatabase } from './with-database.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

const flag = { type: 'boolean', default: false } as const;

/** `roster-server backup`: writes the whole database to a file or to stdout. */
export async function backup(invocation: LongInvocation): Promise<void> {
  const { args, stdout, environment, printError, showProgress, signal } = invocation;
  const { values, positionals } = parseArgs({ args, options: { replace: flag }, allowPositionals: true });
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

/** `roster-server restore`: loads a backup into an empty database. */
export async function restore(invocation: LongInvocation): Promise<void> {
  const { args, stdin, environment, printError, showProgress, signal } = invocation;
  const options = { 'after-loss': flag };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const file = fileIn(positionals);
  if (file === undefined) throw new UsageError('A file is required.');
  const startedAt = performance.now();
  const source = file === '-' ? stdin : (await open(file)).createReadStream();
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
  if (!values['after-loss'])
    printError(
      'The event log continues where the backup ends. If the service accepted changes after that, restore with --after-loss.',
    );
}

function formatResult({ migrated, leftOut }: Restored): string[] {
  return [
    ...migrated.map((name) => `  migrated: ${name}`),
    ...leftOut.map((name) => `  left out, because this release has no such table: ${name}`),
  ];
}
