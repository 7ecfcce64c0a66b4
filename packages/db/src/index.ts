export { type ConnectOptions, connect, connectionCounts, connectionsAtMost } from './connect.ts';
export { type EndedStatement, type OnStatement, whileThere } from './driver/dialect.ts';
export { ConnectionLostError, OverloadedError } from './driver/errors.ts';
export type { ConnectionCounts } from './driver/executor.ts';
export { statementName } from './driver/statement-names.ts';
export { type EmbeddedPostgres, EmbeddedUnavailable, startEmbedded } from './embedded/index.ts';
export { type EmbeddedInspection, inspectEmbedded } from './embedded/inspect.ts';
export { syncDirectory } from './embedded/sync-directory.ts';
export { type Inspection, inspect } from './inspect.ts';
export { type Listener, listen } from './listen.ts';
export {
  type MigrateOptions,
  type MigrationState,
  migrate,
  migrationState,
  pendingMigrations,
} from './migrate.ts';
export { fixed, type Param, Prepared, prepared, preparedShapes } from './prepared.ts';
export { inspectReplica, type ReplicaInspection } from './replicas/inspect-replica.ts';
export { openReplicas, type ReplicaState, type Replicas, type Trail } from './replicas/replicas.ts';
export { type ConsistencyToken, laterOf, parseToken } from './replicas/token.ts';
export { type Addresses, readAddresses, readReplica } from './servers/addresses.ts';
export { type Place, sharedPlace } from './servers/opening.ts';
export type * from './tables.ts';
