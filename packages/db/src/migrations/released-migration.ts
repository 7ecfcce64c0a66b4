import type { Migration } from 'kysely/migration';

/** A migration, which runs while servers work; docs/contributing/migrations.md has the rules. */
export interface ReleasedMigration extends Migration {
  /**
   * Whether it runs outside a transaction, as `create index concurrently` must. It must then be repeatable, because it may
   * fail half-way, and must also work inside a transaction, as in a restore: `concurrent-index.ts` does both.
   */
  isConcurrent?: boolean;
}
