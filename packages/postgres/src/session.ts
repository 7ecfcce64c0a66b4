import type { CompiledQuery, QueryResult } from 'kysely';
import type { ClientBase, ClientConfig, QueryConfig } from 'pg';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { knownOf } from './compiled-query.ts';
import { ConnectionLostError, toStatementError } from './errors.ts';

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

/** Settings of PostgreSQL for every connection, in milliseconds; 0 for no limit. */
export interface SessionSettings {
  statement_timeout: number;
  lock_timeout: number;
  idle_in_transaction_session_timeout: number;
}

/** The options that all connections of one `connect` share. */
export interface SharedOptions {
  config: ClientConfig;
  settings: SessionSettings;
  breaker: CircuitBreaker;
  isPrepared: boolean;
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
  select set_config(name, value, false), length(repeat(' ', 1000000)) from jsonb_each_text($1) as wanted (name, value)
  where name <> 'client_connection_check_interval' or version() !~ 'mingw|Visual C'`;

/** Prepares a new connection. */
export async function prepareSession(client: ClientBase, settings: SessionSettings): Promise<void> {
  const all = { ...settings, synchronize_seqscans: 'off', client_connection_check_interval: '1s' };
  await client.query(SET, [JSON.stringify(all)]);
}

/** The protocol counts parameters in 16 bits; one more would corrupt every message that follows. */
const PARAMETERS_MAX = 65_535;

/** Leaves every value as the text that PostgreSQL sends. */
const asText: QueryConfig['types'] = { getTypeParser: () => (text: unknown) => text };

/** The commands whose result counts the rows that they have affected. */
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A connection, which runs statements. */
export abstract class Session<Client extends Pick<ClientBase, 'query'>> {
  protected readonly client: Client;
  readonly #options: SharedOptions;

  constructor(client: Client, options: SharedOptions) {
    this.client = client;
    this.#options = options;
  }

  /** Closes the connection, on which nothing will be answered any more. */
  protected abstract discard(): void;

  /**
   * Runs a query, with a prepared statement if `compileOnce` has compiled it and `isPrepared` is true.
   * @throws ConnectionLostError; the error of PostgreSQL; RangeError for more than 65,535 parameters
   */
  async run<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { onStatement } = this.#options;
    const startedMs = performance.now();
    const tell = (outcome: Pick<EndedStatement, 'error'>) =>
      onStatement?.({ sql: query.sql, durationMs: performance.now() - startedMs, ...outcome });
    try {
      const result = await this.#send<Row>(query, isPrepared);
      tell({});
      return result;
    } catch (error) {
      if (error instanceof ConnectionLostError) this.discard();
      tell({ error: error as Error });
      throw error;
    }
  }

  /** For COMMIT and ROLLBACK the only row has the command that took effect, as Kysely's driver expects. */
  #send<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { sql: text, parameters } = query;
    const { name, isText } = knownOf(query) ?? {};
    const { breaker, isPrepared: mayBePrepared } = this.#options;
    return new Promise((resolve, reject) => {
      if (parameters.length > PARAMETERS_MAX)
        throw new RangeError(
          `A statement takes at most ${PARAMETERS_MAX} parameters, not ${parameters.length}.`,
        );
      const config: QueryConfig = { text, values: [...parameters] };
      if (isPrepared && mayBePrepared && name !== undefined) config.name = name;
      if (isText) config.types = asText;
      breaker.sent(reject);
      void this.client.query(config, (error: Error | null, result) => {
        breaker.ended(reject);
        if (error !== null && error !== undefined) return reject(toStatementError(error));
        // Several statements in one text have several results.
        const { command, rowCount, rows } = Array.isArray(result) ? result.at(-1) : result;
        if (command === 'COMMIT' || command === 'ROLLBACK') return resolve({ rows: [{ command }] as Row[] });
        if (changing.has(command)) return resolve({ rows, numAffectedRows: BigInt(rowCount ?? 0) });
        return resolve({ rows: rows ?? [] });
      });
    });
  }
}
