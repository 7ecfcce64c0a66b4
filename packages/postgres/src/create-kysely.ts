import {
  DefaultConnectionProvider,
  type Dialect,
  type Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { Reachability } from './circuit-breaker.ts';
import { ExclusiveDriver } from './driver.ts';
import { PartingExecutor } from './executor.ts';
import type { Opening } from './hosts/connection-factory.ts';
import { MigrationAdapter } from './migration-lock.ts';
import { Pipelines } from './pipeline/pool.ts';
import { SharedCommits } from './pool/group-commit.ts';
import { ExclusiveConnections } from './pool/pool.ts';
import { PartedKysely } from './routed-kysely.ts';

/** A statement that has ended. */
export interface EndedStatement {
  /** Its text, without its values. */
  sql: string;
  /** From its being asked for to its answer; of one that shares a connection or a commit with others, with the wait for them. */
  durationMs: number;
  /** What it failed with; absent where it did not. */
  error?: Error & { code?: unknown };
}

/** Told of a statement when it has ended, well or not, in the asynchronous context of whoever asked for it. */
export type OnStatement = (statement: EndedStatement) => void;

export interface DriverOptions {
  /** Where PostgreSQL is and what every connection is opened with. */
  opening: Opening;
  connectionsMax: number;
  pipelines: number;
  pendingMax: number;
  waitingMax: number;
  waitMs: number;
  idleMs: number;
  silenceMs: number;
  /** How long everybody may hear nothing, and then a new connection, before the database counts as gone. */
  patienceMs: number;
  namesMax: number;
  onStatement: OnStatement | undefined;
  onIdleError: (error: Error) => void;
}

/**
 * A Kysely whose reads outside transactions share pipelined connections, and whose transactions and writes each have a
 * connection of their own. Kysely's driver is not told what a connection is wanted for, so the parting is done one step
 * before, in the executor.
 */
export function createKysely<Tables>(options: DriverOptions): PartedKysely<Tables> {
  if (!(options.pipelines >= 1 && options.connectionsMax >= 1)) {
    throw new RangeError('At least one connection of each kind is needed.');
  }
  const reachability = new Reachability(options);
  const pipelines = new Pipelines({ ...options, reachability });
  const connections = new ExclusiveConnections({ ...options, reachability });
  const commits = new SharedCommits({ ...options, connections });
  const driver = new ExclusiveDriver({ commits, connections, pipelines, reachability });
  const compiler = new PostgresQueryCompiler();
  const adapter = new MigrationAdapter();
  const exclusive = new DefaultConnectionProvider(driver);
  const executor = new PartingExecutor({
    compiler,
    adapter,
    exclusive,
    commits,
    reads: pipelines,
    counts: () => {
      const exclusive = connections.counts();
      const exclusiveWaiting = exclusive.exclusiveWaiting + commits.waiting;
      return { ...exclusive, exclusiveWaiting, ...pipelines.counts() };
    },
    onStatement: options.onStatement,
  });
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  return new PartedKysely<Tables>({ config: { dialect }, dialect, driver, executor }, pipelines);
}

/**
 * The same database for one caller, who may leave before they are answered: their reads outside transactions are then
 * taken out of the queue, or cancelled on the server where they are slow. `hasLeft` is asked every 25 ms while such a
 * read lasts, and never for one that is quicker. A write, and everything in a transaction, is not given up: whether
 * it has happened would not be known.
 */
export function whileThere<Tables>(
  db: Kysely<Tables>,
  hasLeft: () => boolean,
  caller?: string,
): Kysely<Tables> {
  return db instanceof PartedKysely ? (db as PartedKysely<Tables>).whileThere({ hasLeft, caller }) : db;
}
