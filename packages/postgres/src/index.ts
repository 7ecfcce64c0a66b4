export {
  type CompiledStatement,
  compileOnce,
  inlineSql,
  type Param,
  queryOf,
  statementName,
} from './compiled-query.ts';
export {
  type ConnectOptions,
  connect,
  connectionCounts,
  maxConnections,
  withDisconnectCheck,
} from './connect.ts';
export { CannotConnectError, ConnectionLostError, OverloadedError } from './errors.ts';
export { type Listener, type ListenOptions, listen } from './listen.ts';
export { MIGRATION_LOCK } from './migration-lock.ts';
export type { EndedStatement, OnStatement } from './session.ts';
export { codeOf, SQLSTATE } from './sqlstate.ts';
export {
  type Constant,
  constant,
  type Fragment,
  forgetStatements,
  fragment,
  statement,
} from './statement.ts';
export { type ConnectionTarget, clientConfig, parseConnectionString } from './target.ts';
