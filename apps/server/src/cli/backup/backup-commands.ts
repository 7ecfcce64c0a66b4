import type { Command, Invocation } from '../command.ts';
import type { LongCommand } from '../run-with-progress.ts';

/** Runs a command whose code is loaded only now, so that a server does not load it. */
const loaded = (load: () => Promise<LongCommand>) => async (invocation: Invocation) => {
  const [{ runWithProgress }, command] = await Promise.all([import('../run-with-progress.ts'), load()]);
  return runWithProgress(command, invocation);
};

/** The commands of backups. */
export const backupCommands: Command[] = [
  {
    name: 'backup',
    summary: 'writes the whole database to a file',
    usage: `roster-server backup [--replace] [FILE]

Writes a snapshot of the whole database to FILE, or to stdout if there is no FILE or it is -. The database is that of the
settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR). Servers may run meanwhile.

  --replace   replace FILE if it exists, when the new backup is complete`,
    run: loaded(async () => (await import('./backup.ts')).backup),
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: `roster-server restore [--after-loss] FILE
roster-server restore --check FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for stdin.

  --after-loss  use it if changes made after the backup are lost: the positions of their events are not assigned again, and
                every consumer of events has to start again (410 cursor_expired)
  --check       only verify that FILE is complete; no database is used`,
    run: loaded(async () => (await import('./restore.ts')).restore),
  },
];
