export { fixed, type Param, Prepared, prepared, preparedShapes } from './compiled-query.ts';
export { type ConnectOptions, connect, connectionCounts, connectionsAtMost } from './connect.ts';
export { type EndedStatement, type OnStatement, whileThere } from './create-kysely.ts';
export { ConnectionLostError, OverloadedError } from './errors.ts';
export type { ConnectionCounts } from './executor.ts';
export { openingOf, type Place, sharedPlace } from './hosts/connection-factory.ts';
export { type Addresses, readAddresses, readReplica } from './hosts/connection-string.ts';
export { type Listener, listen } from './listen.ts';
export { statementName } from './protocol/prepared-statement-cache.ts';
export { type ConsistencyToken, laterOf, parseToken } from './replicas/consistency-token.ts';
export {
  openReplicas,
  type ReplicaState,
  type Replicas,
  type ReplicasOptions,
  type Trail,
} from './replicas/index.ts';
export { inspectReplica, type ReplicaInspection } from './replicas/inspect.ts';
export { codeOf, SQLSTATE } from './sqlstate.ts';
