export type { TestCluster } from './cluster.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export { freePort } from './free-port.ts';
export { type DatabaseProxy, startProxy } from './proxy.ts';
export { type PostgresOptions, startPrimary, startStandby, type TestPostgres } from './standby.ts';
