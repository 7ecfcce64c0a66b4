import { check } from './check.ts';
import type { Command, Invocation } from './command.ts';
import { migrateDatabase } from './migrate.ts';
import { serve } from './serve.ts';

/** Runs a backup or a restore, whose code is loaded only now, so that a server does not load it. */
const long = (name: 'backup' | 'restore') => async (invocation: Invocation) => {
  const { runWithProgress } = await import('./run-with-progress.ts');
  const commands = await import('./backup.ts');
  return runWithProgress(commands[name], invocation);
};

/** The commands of `roster-server`; the default is `serve`. */
export const commands: readonly Command[] = [
  serve,
  check,
  migrateDatabase,
  {
    name: 'backup',
    summary: 'writes the whole database to a file',
    usage: `roster-server backup [--replace] [FILE]

Writes a snapshot of the whole database to FILE, or to stdout if there is no FILE or it is -. The database is that of the
settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR). Servers may run meanwhile.

  --replace   replace FILE if it exists, when the new backup is complete`,
    run: long('backup'),
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: `roster-server restore [--after-loss] FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for stdin.

  --after-loss  use it if changes made after the backup are lost: the positions of their events are not assigned again, and
                every consumer of events has to start again (410 cursor_expired)`,
    run: long('restore'),
  },
];
