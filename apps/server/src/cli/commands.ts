import { keeping } from './backup-commands.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { migrateDatabase } from './migrate.ts';
import { serve } from './serve.ts';

/** Every command of `roster-server`; without one it serves. */
export const commands: readonly Command[] = [serve, check, migrateDatabase, ...keeping];
