import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { ClientBase, ClientConfig } from 'pg';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ConnectionLostError, toConnectError, toStatementError } from './errors.ts';
import { queryFor, type Result } from './statement-query.ts';

/** A statement that has ended, with or without an error. */
export interface EndedStatement {
  /** Its text, without its parameter values. */
  sql: string;
  /** From sending it to its result, in milliseconds. */
  durationMs: number;
  /** The error it failed with; absent if it succeeded. */
  error?: Error & { code?: unknown };
}

/** Called when a statement has ended, in the asynchronous context of the code that ran it. */
export type OnStatement = (statement: EndedStatement) => void;

/** The options of a driver, which all of its connections share. */
export interface DriverOptions {
  config: ClientConfig;
  /** Settings of PostgreSQL for every connection. */
  settings: Record<string, string | number>;
  /** Connections of the pool at most. */
  max: number;
  /** Callers that wait for one of them at most. */
  waitingMax: number;
  /** Closes a connection of the pool that is idle for longer, in milliseconds; 0 keeps it open. */
  idleTimeoutMs: number;
  /** Pipelined connections at most. */
  pipelined: number;
  breaker: CircuitBreaker;
  onStatement: OnStatement | undefined;
}

/**
 * Run once on every new connection, and not as parameters of its start, which poolers reject or lose.
 *
 * - A sequential scan of a large table begins at the first block, and not where another one is (`synchronize_seqscans`), so that
 *   two statements with a LIMIT and no ORDER BY read the same rows.
 * - PostgreSQL ends a statement whose connection was closed, within a second; Windows cannot.
 * - glibc returns what a statement allocated to the system when it ends, and the next statement faults it in again page by page.
 *   After a large block was freed, glibc keeps up to twice its size (`M_TRIM_THRESHOLD`, mallopt(3)), here 2 MB.
 */
const SET = `
  select pg_backend_pid() as pid, set_config(name, value, false), length(repeat(' ', 1000000)) from jsonb_each_text($1) as wanted (name, value)
  where name <> 'client_connection_check_interval' or version() !~ 'mingw|Visual C'`;

/** Prepares a new connection, and returns the process ID of its session. */
export async function prepareSession(
  client: ClientBase,
  settings: DriverOptions['settings'],
): Promise<number | undefined> {
  const all = { ...settings, synchronize_seqscans: 'off', client_connection_check_interval: '1s' };
  const { rows } = await client.query<{ pid: number }>(SET, [JSON.stringify(all)]);
  return rows[0]?.pid;
}

/** The protocol counts parameters in 16 bits; one more would corrupt every message that follows. */
const PARAMETERS_MAX = 65_535;

/** The commands whose result counts the rows that they have affected. */
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

interface OwnOptions {
  /** Called when a statement was lost. */
  onLost?: () => void;
  /** Of a stream that takes long columns out of rows. */
  takeLong?: (() => string) | undefined;
}

/** A connection, which runs statements. */
export class Session<Client extends ClientBase = ClientBase> implements DatabaseConnection {
  readonly client: Client;
  readonly #options: DriverOptions;
  readonly onLost: OwnOptions['onLost'];
  readonly #takeLong: OwnOptions['takeLong'];
  /** Statements in flight. */
  pending = 0;
  /** Whether a statement was lost, so that the connection must be closed. */
  isLost = false;

  constructor(client: Client, options: DriverOptions, { onLost, takeLong }: OwnOptions = {}) {
    this.client = client;
    this.#options = options;
    this.onLost = onLost;
    this.#takeLong = takeLong;
  }

  /**
   * Runs a query, as a prepared statement if `compileOnce` has named it.
   * @throws ConnectionLostError; the error of PostgreSQL; RangeError for more than 65,535 parameters
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { breaker, onStatement } = this.#options;
    if (query.parameters.length > PARAMETERS_MAX)
      throw new RangeError(
        `A statement takes at most ${PARAMETERS_MAX} parameters, not ${query.parameters.length}.`,
      );
    const startedMs = performance.now();
    this.begin();
    let error: Error | undefined;
    try {
      return toResult(
        await breaker.waitFor<Result>(
          (done) => void this.client.query(queryFor(query, done, this.#takeLong)),
        ),
      );
    } catch (cause) {
      error = toStatementError(cause as Error);
      if (error instanceof ConnectionLostError && !this.isConnected) error = toConnectError(cause as Error);
      this.isLost ||= error instanceof ConnectionLostError;
      if (this.isLost) this.onLost?.();
      throw error;
    } finally {
      this.end();
      onStatement?.({ sql: query.sql, durationMs: performance.now() - startedMs, ...(error && { error }) });
    }
  }

  /** Whether it was ever open. Before, no statement is sent. */
  protected get isConnected(): boolean {
    return true;
  }

  /** Called before a statement is sent. */
  protected begin(): void {
    this.pending += 1;
  }

  /** Called when a statement has ended. */
  protected end(): void {
    this.pending -= 1;
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    yield Promise.reject(new Error('Results are not streamed: read large tables in pages.'));
  }
}

/** For COMMIT and ROLLBACK the only row has the command that took effect, as Kysely's driver expects. */
function toResult<Row>(response: Result): QueryResult<Row> {
  const { command = '', rowCount, rows = [] } = (Array.isArray(response) ? response.at(-1) : response) ?? {};
  if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command }] as Row[] };
  return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}
