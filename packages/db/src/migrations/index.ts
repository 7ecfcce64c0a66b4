// Generated from the files of this folder by `npm run generate`.
import * as baseline from './0001-baseline.ts';
import type { ReleasedMigration } from './released-migration.ts';

/** All migrations in the order of their names. Append only: a released migration is never edited. */
export const migrations: Record<string, ReleasedMigration> = {
  '0001-baseline': baseline,
};
