export { connect, connectionCounts, withDisconnectCheck } from './connect.ts';
export { ConnectionLostError, OverloadedError } from './errors.ts';
export { type ConnectionTarget, connectionFactory, resolveTarget } from './hosts/connection-factory.ts';
export { parseConnectionString, parseReplicaUrl } from './hosts/connection-string.ts';
export {
  compiledVariants,
  compileOnce,
  inlineSql,
  type Param,
} from './kysely/compiled-query.ts';
export { type Listener, type ListenOptions, listen } from './listen.ts';
export { type ConnectOptions, maxConnections } from './options.ts';
export { statementName } from './protocol/prepared-statement-cache.ts';
export { type ConsistencyToken, laterToken, parseToken } from './replicas/consistency-token.ts';
export {
  openReplicas,
  type ReadState,
  type ReplicaState,
  type Replicas,
  type ReplicasOptions,
} from './replicas/index.ts';
export { inspectReplica, type ReplicaInspection } from './replicas/inspect.ts';
export { codeOf, SQLSTATE } from './sqlstate.ts';
export type { EndedStatement, OnStatement } from './types.ts';
