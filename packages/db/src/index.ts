export { type LocalPostgres, LocalPostgresUnavailable } from '@roster/local-postgres';
export {
  type Addresses,
  type ConnectionCounts,
  ConnectionLostError,
  type ConnectOptions,
  type ConsistencyToken,
  connectionCounts,
  connectionsAtMost,
  type EndedStatement,
  fixed,
  inspectReplica,
  type Listener,
  laterOf,
  listen,
  type OnStatement,
  OverloadedError,
  type Param,
  type Place,
  Prepared,
  parseToken,
  prepared,
  preparedShapes,
  type ReplicaInspection,
  type ReplicaState,
  type Replicas,
  readAddresses,
  readReplica,
  sharedPlace,
  statementName,
  type Trail,
  whileThere,
} from '@roster/postgres';
export { connect, openReplicas } from './connect.ts';
export { type Inspection, inspect } from './inspect.ts';
export { inspectLocalPostgres, startLocalPostgres } from './local-postgres.ts';
export {
  type MigrateOptions,
  type MigrationState,
  migrate,
  migrationState,
  pendingMigrations,
} from './migrate.ts';
export { startPolling } from './polling.ts';
export type * from './tables.ts';
