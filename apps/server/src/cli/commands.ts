import { backupCommands } from './backup/backup-commands.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { migrateDatabase } from './migrate.ts';
import { serve } from './serve.ts';

/** The commands of `roster-server`; the default is `serve`. */
export const commands: readonly Command[] = [serve, check, migrateDatabase, ...backupCommands];
