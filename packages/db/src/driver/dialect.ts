import {
  DefaultConnectionProvider,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { ClientConfig } from 'pg';
import { ExclusiveDriver } from './driver.ts';
import { ExclusiveConnections } from './exclusive-connections.ts';
import { PartingExecutor } from './executor.ts';
import { Pipelines } from './pipelines.ts';

/** Told of a statement when it has ended, well or not; the time includes waiting for a connection. */
export type OnStatement = (statement: { sql: string; durationMs: number }) => void;

export interface DriverOptions {
  /** Where PostgreSQL is and what every connection is opened with. */
  config: ClientConfig;
  connectionsMax: number;
  pipelines: number;
  pendingMax: number;
  waitingMax: number;
  waitMs: number;
  silenceMs: number;
  namesMax: number;
  onStatement: OnStatement | undefined;
  onIdleError: (error: Error) => void;
}

/**
 * A Kysely whose reads outside transactions share pipelined connections, and whose transactions and writes each have a
 * connection of their own. Kysely's driver is not told what a connection is wanted for, so the parting is done one step
 * before, in the executor.
 */
export function createKysely<Tables>(options: DriverOptions): Kysely<Tables> {
  if (!(options.pipelines >= 1 && options.connectionsMax >= 1)) {
    throw new RangeError('At least one connection of each kind is needed.');
  }
  const pipelines = new Pipelines(options);
  const driver = new ExclusiveDriver(new ExclusiveConnections(options), pipelines);
  const compiler = new PostgresQueryCompiler();
  const adapter = new PostgresAdapter();
  const exclusive = new DefaultConnectionProvider(driver);
  const executor = new PartingExecutor({
    compiler,
    adapter,
    exclusive,
    pipelines,
    onStatement: options.onStatement,
  });
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}
