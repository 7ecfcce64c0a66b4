export { LocalPostgresInUse, LocalPostgresUnavailable } from '@roster/local-postgres';
export * from '@roster/postgres';
/** Override those of the dialect, with Roster's tables and names. */
export { connect, listen } from './connect.ts';
export { type Inspection, inspect, inspectSessions, type SessionSupport } from './inspect.ts';
export {
  checkLocalPostgresFree,
  inspectLocalPostgres,
  type LocalPostgres,
  startLocalPostgres,
} from './local-postgres.ts';
export { BASELINE, migrate, migrationState } from './migrate.ts';
export { BaselineChangedError } from './migrations/baseline-changed.ts';
export { startPolling } from './polling.ts';
export { recordVersions } from './repeatable/records.ts';
export type { RecordTable, RepeatableMigration } from './repeatable/repeatable-migration.ts';
export type * from './tables.ts';
