import { sql } from 'kysely';
import { buildIndex } from '../migrations/concurrent-index.ts';
import { migrations as released } from '../migrations/index.ts';
import type { ReleasedMigration } from '../migrations/released-migration.ts';

/** Examples of a next release: a column with a default, a table, and a concurrent index. */
export const migrations: Record<string, ReleasedMigration> = {
  ...released,
  '9998-example-slogans': {
    async up(db) {
      await sql`
        alter table office add slogan text not null default ''
          constraint office_slogan_check check (char_length(slogan) <= 120)`.execute(db);
      await sql`create table office_slogan (office_id uuid references office (id), slogan text)`.execute(db);
    },
  },
  '9999-example-index': {
    isConcurrent: true,
    async up(db) {
      await buildIndex(db, 'office_slogan_idx', 'office (slogan)');
    },
  },
};
