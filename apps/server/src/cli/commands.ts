import { check } from './check/index.ts';
import type { Command, Invocation } from './command.ts';
import { migrateDatabase } from './migrate.ts';
import { serve } from './serve.ts';
import { settings } from './settings.ts';

const lazy = (name: 'backup' | 'restore') => async (invocation: Invocation) =>
  (await import('./backup.ts'))[name](invocation);

export const commands: readonly Command[] = [
  serve,
  check,
  settings,
  migrateDatabase,
  {
    name: 'backup',
    summary: 'writes the whole database to a file',
    usage: `roster-server backup FILE

Writes a snapshot of the whole database to FILE, which must not exist, or to standard output if FILE is -. The database is that of the settings (DATABASE_URL,
else the local one in ROSTER_DATA_DIR). Servers may run meanwhile.`,
    run: lazy('backup'),
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: `roster-server restore [--after-loss] FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for standard input.

  --after-loss  use it if changes made after the backup are lost: the positions of their events are not assigned again, and
                every consumer of events has to start again (410 cursor_expired)`,
    run: lazy('restore'),
  },
];
