import type { CompiledQuery } from 'kysely';
import { Query, type QueryResult } from 'pg';
import { type KnownQuery, knownOf } from './compiled-query.ts';
import { LONG_COLUMN } from './page-stream.ts';

/** Several statements in one text have several results. */
export type Result = QueryResult | QueryResult[];

type Done = (error: Error | undefined, response?: Result) => void;

/**
 * A statement for node-postgres. Given as a configuration it would be copied member by member, which costs as much as all else that
 * node-postgres does for a small one.
 */
class StatementQuery extends Query {
  /** Of the prepared statement. */
  readonly name: string | undefined;

  constructor({ sql, parameters }: CompiledQuery, name: string | undefined, done: Done) {
    super(sql, [...parameters], done);
    this.name = name;
  }
}

/** A statement whose columns stay the text that PostgreSQL sends. Node-postgres calls both methods. */
class TextQuery extends StatementQuery {
  readonly #byteColumn: string | undefined;
  readonly #takeLong: (() => string) | undefined;
  readonly #rows: Record<string, string | null>[];
  #columns: string[] = [];

  constructor(
    query: CompiledQuery,
    { name, byteColumn }: KnownQuery,
    { done, takeLong }: { done: Done; takeLong: (() => string) | undefined },
  ) {
    const rows: Record<string, string | null>[] = [];
    super(query, name, (error, response) => done(error, response && { ...response, rows }));
    this.#rows = rows;
    this.#byteColumn = byteColumn;
    this.#takeLong = takeLong;
  }

  handleRowDescription({ fields }: { fields: { name: string }[] }): void {
    this.#columns = fields.map(({ name }) => name);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, string | null> = {};
    for (const [at, column] of this.#columns.entries())
      row[column] = this.#textOf(fields[at] ?? null, column);
    this.#rows.push(row);
  }

  #textOf(value: string | null, column: string): string | null {
    const isOfBytes = column === this.#byteColumn;
    if (value === LONG_COLUMN && this.#takeLong !== undefined) {
      const long = this.#takeLong();
      return isOfBytes ? long : Buffer.from(long, 'latin1').toString();
    }
    return value !== null && isOfBytes ? Buffer.from(value).toString('latin1') : value;
  }
}

/** @param takeLong of a connection whose stream takes long columns out of rows */
export function queryFor(query: CompiledQuery, done: Done, takeLong: (() => string) | undefined): Query {
  const known = knownOf(query);
  return known?.isText
    ? new TextQuery(query, known, { done, takeLong })
    : new StatementQuery(query, known?.name, done);
}
