import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { RowError, RowIdentity } from '@roster/import';
import { CliError } from '../errors/errors.ts';

/** A row of the file, as it was read. */
export interface JournalRow extends RowIdentity {
  row: number;
  line: number;
  /** The record to send, as JSON; null if the row is already rejected. */
  record: string | null;
}

/** What the check says of a row: what would become of it, and which record it matched by what. */
export interface RowMatch {
  row: number;
  line: number;
  status: string;
  matchedBy: string | null;
  id: string | null;
}

const CACHE_KIB = 2_000;

const schema = `
  create table metadata (text text not null);
  create table row (
    row integer primary key, line integer not null, source text, id text, email text, main text, status text,
    record text, level integer not null default 0, main_row integer
  ) strict;
  create table row_error (
    row integer not null, line integer not null, "column" text not null, code text not null, message text not null
  ) strict;
  create table row_match (
    row integer not null, line integer not null, status text not null, matched_by text, id text
  ) strict;
  create table batch (
    number integer primary key, rows integer not null, created integer not null, updated integer not null,
    unchanged integer not null, rejected integer not null, matchedByEmail integer not null,
    createdWithoutKey integer not null, createdWithoutEmail integer not null
  ) strict;`;

/**
 * The journal of one import, in a SQLite file: its rows, their errors, and the batches that were written. It uses a small,
 * constant amount of memory and survives a crash, so that the import can be resumed.
 */
export class Journal implements Disposable {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Whether the transaction of `begin` is open, which `makeDurable` commits. */
  #isInTransaction = false;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.#db = db;
  }

  /** Opens a journal exclusively. Throws if another process has it open, or if the file is not a journal. */
  static open(path: string): Journal {
    // It contains personal data, so only its owner may read it.
    closeSync(openSync(path, 'a', 0o600));
    try {
      const db = new DatabaseSync(path);
      db.exec(`pragma locking_mode = exclusive; pragma temp_store = file; pragma cache_size = -${CACHE_KIB};
        pragma journal_mode = truncate; begin immediate; commit`);
      return new Journal(path, db);
    } catch (error) {
      if (error instanceof Error && /locked|busy/.test(error.message))
        throw new CliError('another process is importing this file');
      throw error;
    }
  }

  /** Creates the tables. Writes before `makeDurable` are fast and not durable. */
  begin(): void {
    this.#db.exec(`pragma synchronous = off; ${schema} begin`);
    this.#isInTransaction = true;
  }

  /** Commits everything so far and stores metadata of the import. All later writes are durable. */
  makeDurable(metadata: string): void {
    this.#db.exec('commit; pragma synchronous = full');
    this.#isInTransaction = false;
    // This write syncs the whole file. Syncing by another handle would release the locks of this process when it is closed.
    this.run('insert into metadata values (?)', metadata);
  }

  /** The stored metadata; undefined if the journal was never made durable. */
  metadata(): string | undefined {
    const hasTable =
      this.#db.prepare("select 1 from sqlite_schema where name = 'metadata'").get() !== undefined;
    return hasTable
      ? (this.get('select text from metadata') as { text: string } | undefined)?.text
      : undefined;
  }

  /** Whether the journal has the columns of this release: the batches of an earlier one have others. */
  isCurrent(): boolean {
    return this.get("select 1 from pragma_table_info('batch') where name = 'rejected'") !== undefined;
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

  /** Runs writes atomically. */
  transaction(act: () => void): void {
    if (!this.#isInTransaction) this.#db.exec('begin');
    act();
    if (!this.#isInTransaction) this.#db.exec('commit');
  }

  addRow({ row, line, source, id, email, main, status, record }: JournalRow): void {
    this.run(
      'insert into row (row, line, source, id, email, main, status, record) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[row, line, source, id, email, main, status, record],
    );
  }

  addRowError({ row, line, column, code, message }: RowError): void {
    this.run('insert into row_error values (?, ?, ?, ?, ?)', row, line, column, code, message);
  }

  addRowMatch({ row, line, status, matchedBy, id }: RowMatch): void {
    this.run('insert into row_match values (?, ?, ?, ?, ?)', row, line, status, matchedBy, id);
  }

  /** What each row matched, in the order of the file. */
  rowMatches(): Iterable<RowMatch> {
    const rows: Iterable<unknown> = this.#prepared(
      'select row, line, status, matched_by as "matchedBy", id from row_match order by row',
    ).iterate();
    return rows as Iterable<RowMatch>;
  }

  /** The number of rows, and of rows with errors. */
  counts(): { rows: number; rejected: number } {
    return this.get(
      'select (select count(*) from row) as rows, (select count(distinct row) from row_error) as rejected',
    ) as { rows: number; rejected: number };
  }

  /** The errors, in the order of the file. */
  rowErrors(): Iterable<RowError> {
    const rows: Iterable<unknown> = this.#prepared('select * from row_error order by row, rowid').iterate();
    return rows as Iterable<RowError>;
  }

  /** Closes the journal and deletes its file. */
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
