import type { Command } from '../command.ts';
import { backupUsage, restoreUsage } from './backup-usage.ts';

/** The commands of backups. Their code is loaded when they run, so that a server does not load it. */
export const backupCommands: Command[] = [
  {
    name: 'backup',
    summary: 'writes the whole database to a file',
    usage: backupUsage,
    run: async ({ args, environment }) => {
      const [{ runWithProgress }, { backup }] = await Promise.all([
        import('../run-with-progress.ts'),
        import('./backup.ts'),
      ]);
      return runWithProgress(backup, args, environment);
    },
  },
  {
    name: 'restore',
    summary: 'loads a backup into an empty database, all or nothing',
    usage: restoreUsage,
    run: async ({ args, environment }) => {
      const [{ runWithProgress }, { restore }] = await Promise.all([
        import('../run-with-progress.ts'),
        import('./restore.ts'),
      ]);
      return runWithProgress(restore, args, environment);
    },
  },
];
