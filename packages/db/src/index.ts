export { type ConnectOptions, connect } from './connect.ts';
export { whileThere } from './driver/dialect.ts';
export { ConnectionLostError, OverloadedError } from './driver/errors.ts';
export { type EmbeddedPostgres, EmbeddedUnavailable, startEmbedded } from './embedded/index.ts';
export { type Listener, listen } from './listen.ts';
export { migrate, pendingMigrations } from './migrate.ts';
export { fixed, type Param, Prepared, prepared, preparedShapes } from './prepared.ts';
export type * from './tables.ts';
