import type { Migration } from 'kysely/migration';

/** Runs while servers work; docs/contributing/migrations.md has the rules. */
export interface ReleasedMigration extends Migration {
  /**
   * Whether it runs outside a transaction, as `create index concurrently` must. It must be repeatable,
   * because it can fail half-way, and also work inside a transaction, as for a restore
   * (`concurrent-index.ts`).
   */
  isConcurrent?: boolean;
}
