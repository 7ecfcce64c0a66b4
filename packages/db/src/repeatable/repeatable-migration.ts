/** The tables whose rows have a materialised JSON record. */
export type RecordTable = 'office' | 'agent';

/**
 * What builds the materialised JSON of a table's rows. It is not a migration of its own but follows from the schemas of the
 * API, and runs after the versioned migrations if the database has another one (Flyway calls it a repeatable migration).
 */
export interface RepeatableMigration {
  /**
   * The schema version of the JSON. A release that changes the statements has a greater one, which tells the older of two
   * releases from the newer.
   */
  version: number;
  /** They create or replace functions and types, lock no table, and can run again. The function of the trigger is the last. */
  statements: string[];
}
