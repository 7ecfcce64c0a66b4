import { hash } from 'node:crypto';

/** The columns of a result, and how to convert their values from text. */
export interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** The name of a statement in `pg_prepared_statements`, derived from its text alone. */
export function statementName(sql: string): string {
  return `r${hash('sha1', sql).slice(0, 20)}`;
}

/** A prepared statement on one connection. */
export interface PreparedStatement {
  readonly name: string;
  /** Known after the first execution. They never change: PostgreSQL rejects the statement if they would. */
  columns: Columns | undefined;
}

/**
 * The prepared statements of one connection, as an LRU cache. When it is full, the least recently used statement is
 * evicted and must be closed on the connection before the next one is sent.
 */
export class PreparedStatementCache {
  readonly #max: number;
  readonly #statements = new Map<string, PreparedStatement>();
  #evicted: string[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#statements.size;
  }

  /** The prepared statement for a text, and whether it must be parsed first. */
  use(sql: string): { prepared: PreparedStatement; isNew: boolean } {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return { prepared: known, isNew: false };
    }
    for (const [oldest, { name }] of this.#statements) {
      if (this.#statements.size < this.#max) break;
      this.#statements.delete(oldest);
      this.#evicted.push(name);
    }
    const prepared = { name: statementName(sql), columns: undefined };
    this.#statements.set(sql, prepared);
    return { prepared, isNew: true };
  }

  /** Evicts a statement that may not be parsed on the server, so that its next use parses it again. */
  evict(sql: string, prepared: PreparedStatement): void {
    if (this.#statements.get(sql) !== prepared) return;
    this.#statements.delete(sql);
    this.#evicted.push(prepared.name);
  }

  /** The names to close on the connection, each returned once. Closing an unknown name is not an error in PostgreSQL. */
  takeEvicted(): readonly string[] {
    const evicted = this.#evicted;
    if (evicted.length > 0) this.#evicted = [];
    return evicted;
  }
}
