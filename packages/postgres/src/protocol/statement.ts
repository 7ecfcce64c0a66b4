/// <reference path="./pg-modules.d.ts" />
import type { QueryResult } from 'kysely';
import { type Client, type Connection, DatabaseError, type Submittable } from 'pg';
import Query from 'pg/lib/query.js';
import utils from 'pg/lib/utils.js';
import { toConnectionError } from '../errors.ts';
import { hintsOf, type Statement } from '../query-hints.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { DataRow } from './data-row-parser.ts';
import type { Columns, PreparedStatement, PreparedStatementCache } from './prepared-statement-cache.ts';

/** The protocol counts parameters in 16 bits; one more would corrupt every message that follows. */
const PARAMETERS_MAX = 65_535;

/** The types json, bytea, text and varchar (pg_type.oid), whose binary format is their plain bytes. */
const PLAIN_BYTES = new Set([114, 17, 25, 1043]);

/** A statement that is ready to be sent. */
export interface EncodedStatement {
  sql: string;
  /** The parameter values in the formats of the protocol. */
  values: (string | Buffer | null)[];
  /** Requests its columns in the binary format. */
  isBinary: boolean;
  /** Parses it without a name, because it is to be planned each time, or its prepared statement has failed. */
  isUnnamed: boolean;
}

/**
 * Encodes the values of a statement.
 * @throws RangeError for more than 65,535 values; TypeError for a value that cannot be encoded
 */
export function encode(statement: Statement): EncodedStatement {
  const { sql, parameters } = statement;
  if (parameters.length > PARAMETERS_MAX) {
    throw new RangeError(`A statement takes at most ${PARAMETERS_MAX} parameters, not ${parameters.length}.`);
  }
  const values = parameters.map(utils.prepareValue);
  const { isBinary = false, isPlannedForValues = false } = hintsOf(statement);
  return { sql, values, isBinary, isUnnamed: isPlannedForValues };
}

/** The connection on which a statement runs, as the statement sees it. */
export interface StatementHost {
  readonly client: Pick<Client, 'getTypeParser'>;
  /** Undefined if prepared statements are turned off. */
  readonly preparedStatements: PreparedStatementCache | undefined;
  /** Called before its messages are written. */
  corkWrites(): void;
  /** Called for each message that shows that the server is alive. */
  messageReceived(): void;
  /** Called once when the statement has ended. */
  statementEnded(): void;
}

/** Called once when a statement has ended. */
export type OnEnded = (error: Error | undefined, result: QueryResult<unknown>) => void;

export const noRows: QueryResult<unknown> = { rows: [] };
/** The commands whose result counts the rows that they have affected. */
export const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

/**
 * The messages of one statement in the extended query protocol, without the Sync: Parse (unless the statement is
 * prepared), Bind, Describe (unless its columns are known), Execute; and the responses to them.
 */
export class StatementExchange {
  readonly #host: StatementHost;
  readonly #statement: EncodedStatement;
  readonly #rows: unknown[] = [];
  #numAffectedRows: bigint | undefined;
  #columns: Columns | undefined;
  #prepared: PreparedStatement | undefined;
  #isParsing = false;
  #rowError: Error | undefined;

  constructor(host: StatementHost, statement: EncodedStatement) {
    this.#host = host;
    this.#statement = statement;
  }

  send(connection: Connection): void {
    this.#parse(connection);
    const statement = this.#prepared?.name;
    const { values, isBinary } = this.#statement;
    // Declared as a string, used as a boolean.
    const binary = isBinary ? 'binary' : '';
    connection.bind({ values, binary, ...(statement !== undefined && { statement }) }, true);
    this.#columns = this.#prepared?.columns;
    if (this.#columns === undefined) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
  }

  #parse(connection: Connection): void {
    const { preparedStatements } = this.#host;
    const { sql, isUnnamed } = this.#statement;
    if (preparedStatements === undefined || isUnnamed) {
      connection.parse({ name: '', text: sql, types: [] }, true);
      return;
    }
    const { prepared, isNew } = preparedStatements.use(sql);
    for (const name of preparedStatements.takeEvicted()) connection.close({ type: 'S', name }, true);
    if (isNew) connection.parse({ name: prepared.name, text: sql, types: [] }, true);
    this.#prepared = prepared;
    this.#isParsing = isNew;
  }

  onRowDescription({ fields }: RowDescription): void {
    const { isBinary } = this.#statement;
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) =>
        isBinary ? binaryParser(dataTypeID) : this.#host.client.getTypeParser(dataTypeID, 'text'),
      ),
    };
    if (this.#prepared !== undefined) this.#prepared.columns = this.#columns;
  }

  onDataRow(message: DataRow): void {
    this.#host.messageReceived();
    if (this.#columns === undefined) return;
    const { names, parsers } = this.#columns;
    const fields = this.#statement.isBinary ? message.bytes : message.fields;
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < names.length; index += 1) {
        const text = fields[index];
        row[names[index] as string] = typeof text === 'string' ? parsers[index]?.(text) : null;
      }
      this.#rows.push(row);
    } catch (error) {
      this.#rowError = error as Error;
    }
  }

  onCommandComplete({ text }: { text: string }): void {
    const command = text.slice(0, text.indexOf(' '));
    if (changing.has(command)) this.#numAffectedRows = BigInt(text.slice(text.lastIndexOf(' ') + 1));
  }

  /** Called with its own error, or with the error of a statement in the same transaction. */
  onError(error: Error): void {
    // The error does not tell whether parsing or executing failed, so a new prepared statement is not relied on. One that
    // is stale must be parsed again.
    const isUnsure = this.#isParsing || isStalePlan(error);
    if (isUnsure && this.#prepared !== undefined) {
      this.#host.preparedStatements?.evict(this.#statement.sql, this.#prepared);
    }
  }

  /** The error of converting its rows, if there was one. */
  get rowError(): Error | undefined {
    return this.#rowError;
  }

  get result(): QueryResult<unknown> {
    const rows = this.#rows;
    const numAffectedRows = this.#numAffectedRows;
    return numAffectedRows === undefined ? { rows } : { rows, numAffectedRows };
  }
}

/**
 * One statement with a Sync of its own, so that its error does not affect the statements behind it. In a pipeline
 * node-postgres accepts only subclasses of its `Query`, none of whose methods are used.
 */
export class StatementQuery extends Query implements Submittable {
  readonly #host: StatementHost;
  /** The statement that the next message is about. */
  protected exchange: StatementExchange;
  readonly #onEnded: OnEnded;
  #hasEnded = false;

  constructor(host: StatementHost, exchange: StatementExchange, onEnded: OnEnded) {
    super('');
    this.#host = host;
    this.exchange = exchange;
    this.#onEnded = onEnded;
  }

  submit(connection: Connection): null {
    this.#host.corkWrites();
    this.send(connection);
    connection.sync();
    return null;
  }

  protected send(connection: Connection): void {
    this.exchange.send(connection);
  }

  handleRowDescription(message: RowDescription): void {
    this.exchange.onRowDescription(message);
  }

  handleDataRow(message: DataRow): void {
    this.exchange.onDataRow(message);
  }

  handleCommandComplete(message: { text: string }): void {
    this.exchange.onCommandComplete(message);
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.end(this.exchange.rowError, this.exchange.result);
  }

  handleError(error: Error & { routine?: unknown }): void {
    this.exchange.onError(error);
    this.end(toConnectionError(error, error instanceof DatabaseError), noRows);
  }

  protected end(error: Error | undefined, result: QueryResult<unknown>): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#host.statementEnded();
    this.#onEnded(error, result);
  }
}

/** Returns the bytes of a column in the binary format; what it throws becomes the error of the statement. */
function binaryParser(type: number): (bytes: string) => string {
  if (PLAIN_BYTES.has(type)) return (bytes) => bytes;
  return () => {
    throw new TypeError(`A column of type ${type} cannot be read in the binary format.`);
  };
}

const preparedStatementErrors = new Set<string>([
  SQLSTATE.invalidSqlStatementName,
  SQLSTATE.duplicatePreparedStatement,
]);

/**
 * Whether PostgreSQL rejected the prepared statement rather than the statement: it was not parsed because the statement
 * before it failed, or its columns have changed with the table. It has not been executed, so it may be sent again.
 */
export function isStalePlan(error: Error & { code?: unknown; routine?: unknown }): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (preparedStatementErrors.has(String(error.code))) return true;
  return error.code === SQLSTATE.featureNotSupported && error.routine === 'RevalidateCachedQuery';
}
