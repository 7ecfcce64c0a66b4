import { hash } from 'node:crypto';

/** How a value of a column is read, by the column's name. */
export interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** The name PostgreSQL keeps a statement under (`pg_prepared_statements`): made of its text alone. */
export function statementName(sql: string): string {
  return `r${hash('sha1', sql).slice(0, 20)}`;
}

/** A statement that PostgreSQL keeps parsed under a name, on one connection. */
export interface NamedStatement {
  readonly name: string;
  /** Known from the first answer on; a named statement's columns never change (PostgreSQL refuses to run it then). */
  columns: Columns | undefined;
}

/**
 * The statements that one connection has parsed, in the order of their last use. It never holds more than `max`:
 * the one used longest ago gives way, and its name is to be closed before the next statement is sent.
 */
export class StatementNames {
  readonly #max: number;
  readonly #named = new Map<string, NamedStatement>();
  #closing: string[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#named.size;
  }

  /** The name of a statement, and whether it must be parsed first. */
  use(sql: string): { named: NamedStatement; isNew: boolean } {
    const known = this.#named.get(sql);
    if (known !== undefined) {
      this.#named.delete(sql);
      this.#named.set(sql, known);
      return { named: known, isNew: false };
    }
    for (const [oldest, { name }] of this.#named) {
      if (this.#named.size < this.#max) break;
      this.#named.delete(oldest);
      this.#closing.push(name);
    }
    const named = { name: statementName(sql), columns: undefined };
    this.#named.set(sql, named);
    return { named, isNew: true };
  }

  /** Not known to be parsed any more; whoever uses the statement next parses it anew. */
  forget(sql: string, named: NamedStatement): void {
    if (this.#named.get(sql) !== named) return;
    this.#named.delete(sql);
    this.#closing.push(named.name);
  }

  /** The names to close on the connection, given out once. Closing a name that PostgreSQL does not know is no error. */
  takeClosing(): readonly string[] {
    const closing = this.#closing;
    if (closing.length > 0) this.#closing = [];
    return closing;
  }
}
