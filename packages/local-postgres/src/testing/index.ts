export type { TestCluster } from './cluster.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export { type DatabaseProxy, freePort, startProxy } from './proxy.ts';
export { type PostgresOptions, startPrimary, startStandby, type TestPostgres } from './standby.ts';
