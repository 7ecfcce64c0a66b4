/// <reference path="./pg-values.d.ts" />
import type { QueryResult } from 'kysely';
import { type Connection, DatabaseError, Query, type Submittable } from 'pg';
import conversion from 'pg/lib/utils.js';
import { asLoss } from '../errors.ts';
import { isBinary as isDeclaredBinary, type Statement } from '../query-hints.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { RowMessage } from './data-row-parser.ts';
import type { Columns, NamedStatement } from './prepared-statement-cache.ts';
import type { Session } from './session.ts';

/** Values as they travel. */
export type Wire = (string | Buffer | null)[];

/** The number of parameters is 16 bits wide in the protocol; one more would garble it for everyone behind. */
const PARAMETERS_MAX = 65_535;

/** Values in PostgreSQL's own formats. Throws where one of them has none, before anything was sent. */
function toWire(values: readonly unknown[]): Wire {
  if (values.length > PARAMETERS_MAX) {
    throw new RangeError(`A statement takes at most ${PARAMETERS_MAX} parameters, not ${values.length}.`);
  }
  return values.map(conversion.prepareValue);
}

/** json, bytea, text and varchar (pg_type), which in the binary format are what they hold. */
const TEXTS = new Set([114, 17, 25, 1043]);

/** The reading of a column in the binary format: its bytes. What it throws is the statement's own error. */
function binaryParser(type: number): (bytes: string) => string {
  if (TEXTS.has(type)) return (bytes) => bytes;
  return () => {
    throw new TypeError(`a column of type ${type} is no text in the binary format`);
  };
}

/** A statement to be sent. */
export interface Order {
  sql: string;
  values: Wire;
  /** Its columns are to come in the binary format. */
  isBinary: boolean;
  /** To be parsed for this once and under no name, because its name has failed. */
  isNameless: boolean;
}

/** A statement as it is sent at first. Throws where one of its values cannot be. */
export function orderOf(statement: Statement): Order {
  const values = toWire(statement.parameters);
  return { sql: statement.sql, values, isBinary: isDeclaredBinary(statement), isNameless: false };
}

/** Told once how a statement ended. */
export type Ended = (error: Error | undefined, result: QueryResult<unknown>) => void;

const nothing: QueryResult<unknown> = { rows: [] };
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export interface Fields {
  fields: { name: string; dataTypeID: number }[];
}

/**
 * One statement in the extended protocol, without the end of its transaction: parse (unless the connection knows its
 * name), bind, describe (unless its columns are known), execute; and what is answered to these.
 */
export class StatementPart {
  readonly #session: Session;
  readonly #order: Order;
  readonly #rows: unknown[] = [];
  #numAffectedRows: bigint | undefined;
  #columns: Columns | undefined;
  #named: NamedStatement | undefined;
  #isParsing = false;
  #broken: Error | undefined;

  constructor(session: Session, order: Order) {
    this.#session = session;
    this.#order = order;
  }

  send(connection: Connection): void {
    this.#parse(connection);
    const statement = this.#named?.name;
    const { values, isBinary } = this.#order;
    // Declared as a string, and read as a truth value.
    const binary = isBinary ? 'binary' : '';
    connection.bind({ values, binary, ...(statement !== undefined && { statement }) }, true);
    this.#columns = this.#named?.columns;
    if (this.#columns === undefined) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
  }

  #parse(connection: Connection): void {
    const { names } = this.#session;
    const { sql, isNameless } = this.#order;
    if (names === undefined || isNameless) {
      connection.parse({ name: '', text: sql, types: [] }, true);
      return;
    }
    const { named, isNew } = names.use(sql);
    for (const name of names.takeClosing()) connection.close({ type: 'S', name }, true);
    if (isNew) connection.parse({ name: named.name, text: sql, types: [] }, true);
    this.#named = named;
    this.#isParsing = isNew;
  }

  takeColumns({ fields }: Fields): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) =>
        this.#order.isBinary
          ? binaryParser(dataTypeID)
          : this.#session.client.getTypeParser(dataTypeID, 'text'),
      ),
    };
    if (this.#named !== undefined) this.#named.columns = this.#columns;
  }

  takeRow(message: RowMessage): void {
    this.#session.heard();
    if (this.#columns === undefined) return;
    const { names, parsers } = this.#columns;
    const fields = this.#order.isBinary ? message.bytes : message.fields;
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < names.length; index += 1) {
        const text = fields[index];
        row[names[index] as string] = typeof text === 'string' ? parsers[index]?.(text) : null;
      }
      this.#rows.push(row);
    } catch (error) {
      this.#broken = error as Error;
    }
  }

  takeCommand({ text }: { text: string }): void {
    const command = text.slice(0, text.indexOf(' '));
    if (changing.has(command)) this.#numAffectedRows = BigInt(text.slice(text.lastIndexOf(' ') + 1));
  }

  /** To be told of an error of it, or of what was sent with it. */
  failed(error: Error): void {
    // Whether the parsing or the running failed is not said, so the name is not relied on. A plan that would give
    // other columns since the table was changed is refused until its statement is parsed anew.
    const isUnsure = this.#isParsing || isStale(error);
    if (isUnsure && this.#named !== undefined) this.#session.names?.forget(this.#order.sql, this.#named);
  }

  /** What reading its rows failed with, if it did. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  get result(): QueryResult<unknown> {
    const rows = this.#rows;
    const numAffectedRows = this.#numAffectedRows;
    return numAffectedRows === undefined ? { rows } : { rows, numAffectedRows };
  }
}

/** One statement on its way over one connection. The sync of its own keeps an error to itself. */
export class WireStatement implements Submittable {
  readonly #session: Session;
  readonly #part: StatementPart;
  readonly #ended: Ended;
  #isOver = false;

  constructor(session: Session, order: Order, ended: Ended) {
    this.#session = session;
    this.#part = new StatementPart(session, order);
    this.#ended = ended;
  }

  submit(connection: Connection): null {
    this.#session.gatherWrites();
    this.#part.send(connection);
    connection.sync();
    return null;
  }

  handleRowDescription(message: Fields): void {
    this.#part.takeColumns(message);
  }

  handleDataRow(message: RowMessage): void {
    this.#part.takeRow(message);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#part.takeCommand(message);
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#end(this.#part.broken, this.#part.result);
  }

  handleError(error: Error & { routine?: unknown }): void {
    this.#part.failed(error);
    this.#end(asLoss(error, error instanceof DatabaseError), nothing);
  }

  #end(error: Error | undefined, result: QueryResult<unknown>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#session.answered();
    this.#ended(error, result);
  }
}

const nameErrors = new Set<string>([SQLSTATE.invalidSqlStatementName, SQLSTATE.duplicatePreparedStatement]);

/**
 * Whether a statement was refused for its name or its old plan, not for itself: the name was not parsed because the
 * statement before it failed, or a table has changed. It has not begun to run, so it may be sent again.
 */
export function isStale(error: Error & { code?: unknown; routine?: unknown }): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (nameErrors.has(String(error.code))) return true;
  return error.code === SQLSTATE.featureNotSupported && error.routine === 'RevalidateCachedQuery';
}

// In a pipeline node-postgres takes only instances of its Query. Everything of Query that could run is written above.
Object.setPrototypeOf(WireStatement.prototype, Query.prototype);
