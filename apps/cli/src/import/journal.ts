import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CliError } from '../errors/errors.ts';
import type { Fault } from './read/rows.ts';

/** One row of a file as it was read. */
export interface LedgerRow {
  row: number;
  line: number;
  /** Where the record came from, as one text; null for one that its id names. */
  source: string | null;
  id: string | null;
  /** The e-mail address, where two records may not have one. */
  email: string | null;
  /** The source of its main office, as one text. */
  main: string | null;
  status: string | null;
  /** What is sent, as JSON; null where the row is refused already. */
  record: string | null;
}

/** What became of the records of a batch. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  /** Of the updated and unchanged: those without a key, whose e-mail address led to the record. */
  matchedByEmail: number;
  /** Of the created: those without a key. */
  createdWithoutKey: number;
  /** Of these: those without an e-mail address too, which another import of them would create again. */
  createdWithoutEmail: number;
}

export const noCounts: Readonly<Counts> = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  matchedByEmail: 0,
  createdWithoutKey: 0,
  createdWithoutEmail: 0,
};

const KIBIBYTES_OF_CACHE = 2_000;

const schema = `
  create table about (text text not null);
  create table row (
    row integer primary key, line integer not null, source text, id text, email text, main text, status text,
    record text, level integer not null default 0, main_row integer
  ) strict;
  create table fault (
    row integer not null, line integer not null, "column" text not null, code text not null, reason text not null
  ) strict;
  create table batch (
    number integer primary key, rows integer not null, created integer not null, updated integer not null,
    unchanged integer not null, refused integer not null, matchedByEmail integer not null,
    createdWithoutKey integer not null, createdWithoutEmail integer not null
  ) strict;`;

/**
 * What is known of one import, in a file: its rows, what is wrong with them, and what has been written. It takes the
 * memory of a small cache, however many rows there are, and outlives the process.
 */
export class Ledger implements Disposable {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Whether everything is one transaction, which ends when it is kept. */
  #isOne = false;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.#db = db;
  }

  /** Opens a ledger for this process alone. Throws where another process has it, and for a file that is none. */
  static open(path: string): Ledger {
    // Personal data are in it: it is made for its owner alone.
    closeSync(openSync(path, 'a', 0o600));
    try {
      const db = new DatabaseSync(path);
      db.exec(`pragma locking_mode = exclusive; pragma temp_store = file; pragma cache_size = -${KIBIBYTES_OF_CACHE};
        pragma journal_mode = truncate; begin immediate; commit`);
      return new Ledger(path, db);
    } catch (error) {
      if (error instanceof Error && /locked|busy/.test(error.message))
        throw new CliError('another process is importing this file');
      throw error;
    }
  }

  /** Makes it ready for rows. What is written before `keep` needs not outlive the process, and is fast. */
  begin(): void {
    this.#db.exec(`pragma synchronous = off; ${schema} begin`);
    this.#isOne = true;
  }

  /** From here on everything outlives the process, and what is known about the import. */
  keep(about: string): void {
    this.#db.exec('commit; pragma synchronous = full');
    this.#isOne = false;
    // Syncs the whole file. Not by a handle of ours: to close it would give up the locks of this process.
    this.run('insert into about values (?)', about);
  }

  /** What was known when it was kept; undefined for one that was not. */
  about(): string | undefined {
    const isKept = this.#db.prepare("select 1 from sqlite_schema where name = 'about'").get() !== undefined;
    return isKept ? (this.get('select text from about') as { text: string } | undefined)?.text : undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): unknown {
    return this.#prepared(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): unknown[] {
    return this.#prepared(sql).all(...values);
  }

  /** All of it or nothing. */
  together(act: () => void): void {
    if (!this.#isOne) this.#db.exec('begin');
    act();
    if (!this.#isOne) this.#db.exec('commit');
  }

  addRow({ row, line, source, id, email, main, status, record }: LedgerRow): void {
    this.run(
      'insert into row (row, line, source, id, email, main, status, record) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[row, line, source, id, email, main, status, record],
    );
  }

  addFault({ row, line, column, code, reason }: Fault): void {
    this.run('insert into fault values (?, ?, ?, ?, ?)', row, line, column, code, reason);
  }

  /** How many rows there are, and how many of them are refused. */
  counts(): { rows: number; refused: number } {
    return this.get(
      'select (select count(*) from row) as rows, (select count(distinct row) from fault) as refused',
    ) as { rows: number; refused: number };
  }

  /** What is wrong, in the order of the file. */
  faults(): Iterable<Fault> {
    return this.#prepared('select * from fault order by row, rowid').iterate() as unknown as Iterable<Fault>;
  }

  /** Closes it and forgets all that is in it. */
  delete(): void {
    this[Symbol.dispose]();
    for (const file of [this.path, `${this.path}-journal`]) rmSync(file, { force: true });
  }

  #prepared(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#db.close();
  }
}
