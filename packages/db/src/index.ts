export { LocalPostgresInUse, LocalPostgresUnavailable } from '@roster/local-postgres';
export {
  CompiledStatement,
  type ConnectionCounts,
  ConnectionLostError,
  type ConnectionTarget,
  type ConnectOptions,
  type ConsistencyToken,
  codeOf,
  compiledVariants,
  compileOnce,
  connectionCounts,
  type EndedStatement,
  inlineSql,
  inspectReplica,
  type Listener,
  laterToken,
  maxConnections,
  type OnStatement,
  OverloadedError,
  type Param,
  parseConnectionString,
  parseReplicaUrl,
  parseToken,
  type ReadState,
  type ReplicaInspection,
  type ReplicaState,
  type Replicas,
  resolveTarget,
  SQLSTATE,
  statementName,
  withDisconnectCheck,
} from '@roster/postgres';
export { connect, listen, openReplicas } from './connect.ts';
export { type Inspection, inspect } from './inspect.ts';
export {
  checkLocalPostgresFree,
  inspectLocalPostgres,
  type LocalPostgres,
  startLocalPostgres,
} from './local-postgres.ts';
export {
  type MigrateOptions,
  type MigrationState,
  migrate,
  migrationState,
  pendingMigrations,
} from './migrate.ts';
export { startPolling } from './polling.ts';
export { recordVersions } from './repeatable/records.ts';
export type { RecordTable, RepeatableMigration } from './repeatable/repeatable-migration.ts';
export type * from './tables.ts';
