import type { Migration } from 'kysely/migration';
import * as officesAndAgents from './0001-offices-and-agents.ts';

/** All migrations in the order of their names. Append only: one that has been released is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-offices-and-agents': officesAndAgents,
};
