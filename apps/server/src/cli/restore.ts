import { open } from 'node:fs/promises';
import { checkBackup, type Restored, restoreBackup } from '@roster/db/backup';
import { readConfig } from '../config/config.ts';
import { parseFileArgs, UsageError } from './args.ts';
import { restoreUsage } from './backup-commands.ts';
import { inMegabytes, inWords, secondsSince } from './format.ts';
import type { Transfer } from './process-io.ts';
import { withDatabase } from './with-database.ts';

/** `roster-server restore`: a backup into an empty database, or the proof that the file is whole. */
export async function restore(transfer: Transfer): Promise<number> {
  const { stdin, environment, say, sayProgress, signal } = transfer;
  const { file, flags } = parseFileArgs(transfer.argv, ['check', 'after-loss'], restoreUsage);
  if (file === undefined) throw new UsageError(`Which file?\n\n${restoreUsage}`);
  const startedAt = performance.now();
  const source = file === '-' ? stdin : (await open(file)).createReadStream();
  if (flags.check) {
    say(`The backup is whole: ${inWords(await checkBackup({ source, signal }))}.`);
    return 0;
  }
  const restored = await withDatabase(
    readConfig(environment),
    (message) => say(`  ${message}`),
    (connection) =>
      restoreBackup({
        connection,
        source,
        isAfterLoss: flags['after-loss'],
        signal,
        onProgress: ({ table, bytes }) => sayProgress?.(`${table}: ${inMegabytes(bytes)}`),
      }),
  );
  for (const line of remarks(restored)) say(line);
  say(`Restored ${inWords(restored)}, in ${secondsSince(startedAt)}.`);
  if (!flags['after-loss']) say(HINT);
  return 0;
}

const HINT =
  'The log of events goes on where the backup ends. If the service took changes after that, restore with --after-loss.';

function remarks({ migrated, leftOut }: Restored): string[] {
  return [
    ...migrated.map((name) => `  migrated: ${name}`),
    ...leftOut.map((name) => `  left out, for Roster does not know it: ${name}`),
  ];
}
