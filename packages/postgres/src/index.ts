export {
  CompiledStatement as Prepared,
  compiledVariants as preparedShapes,
  compileOnce as prepared,
  inlineSql as fixed,
  type Param,
} from './compiled-query.ts';
export { type ConnectOptions, connect, connectionCounts, connectionsAtMost } from './connect.ts';
export { withDisconnectCheck as whileThere } from './create-kysely.ts';
export { ConnectionLostError, OverloadedError } from './errors.ts';
export type { ConnectionCounts } from './executor.ts';
export {
  type ConnectionTarget as Place,
  connectionFactory as openingOf,
  resolveTarget as sharedPlace,
} from './hosts/connection-factory.ts';
export {
  type ConnectionParameters as Addresses,
  parseConnectionString as readAddresses,
  parseReplicaUrl as readReplica,
} from './hosts/connection-string.ts';
export { type Listener, listen } from './listen.ts';
export { statementName } from './protocol/prepared-statement-cache.ts';
export { type ConsistencyToken, laterToken as laterOf, parseToken } from './replicas/consistency-token.ts';
export {
  openReplicas,
  type ReplicaState,
  type Replicas,
  type ReplicasOptions,
  type Trail,
} from './replicas/index.ts';
export { inspectReplica, type ReplicaInspection } from './replicas/inspect.ts';
export { codeOf, SQLSTATE } from './sqlstate.ts';
export type { EndedStatement, OnStatement } from './types.ts';
