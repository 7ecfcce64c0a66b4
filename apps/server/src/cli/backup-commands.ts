import type { Command } from './command.ts';

export const backupUsage = `roster-server backup [--replace] [FILE]

Writes everything the database holds, as it is at one moment, to FILE, or to stdout where there is none or it is -.
The database is that of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR); servers go on meanwhile.

  --replace   FILE may be there already; it is replaced when the new backup is whole`;

export const restoreUsage = `roster-server restore [--after-loss] FILE
roster-server restore --check FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for stdin.

  --after-loss  changes made after the backup are lost, and may have been read as events: their positions are not given
                again, and every reader of the events is told to start anew (410 cursor_expired)
  --check       only reads FILE to its end, and says whether it is whole; no database is touched`;

/** Backup and restore; what they need is loaded only when they are asked for, which a server never does. */
export const keeping: Command[] = [
  {
    name: 'backup',
    summary: 'writes everything the database holds into one file',
    usage: backupUsage,
    run: async ({ args, environment }) => {
      const [{ runTransfer }, { backup }] = await Promise.all([
        import('./run-with-progress.ts'),
        import('./backup.ts'),
      ]);
      return runTransfer(backup, args, environment);
    },
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: restoreUsage,
    run: async ({ args, environment }) => {
      const [{ runTransfer }, { restore }] = await Promise.all([
        import('./run-with-progress.ts'),
        import('./restore.ts'),
      ]);
      return runTransfer(restore, args, environment);
    },
  },
];
