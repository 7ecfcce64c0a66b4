import { type QueryExecutorProvider, sql } from 'kysely';
import type { LsnProbe, ReadExecutor } from '../types.ts';
import { type ConsistencyToken, toToken } from './consistency-token.ts';

/** The term of the current primary: a number that increases, and an id that replicas of it have too. */
export interface Term {
  number: number;
  id: string;
  timeline: string;
}

interface Position {
  lsn: string;
  timeline: string;
}

/**
 * The end of the write-ahead log, behind everything that was committed before the query. Not the flushed end: with
 * `synchronous_commit = off` a commit is acknowledged before it is flushed.
 */
const POSITION = `
  pg_current_wal_insert_lsn()::text as lsn, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`;

const sampleFrom = (termTable: string) => `
  select ${POSITION}, s.system_identifier::text as system, t.term, t.id
  from pg_control_system() s
    left join ${termTable} t on t.system_identifier = s.system_identifier
      and t.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

interface Sample extends Position {
  system: string;
  term: number | null;
  id: string | null;
}

export interface WalTrackerOptions {
  /** The primary. */
  db: QueryExecutorProvider;
  /** The table of terms, as an SQL identifier. */
  termTable: string;
  /** Runs reads on the primary. */
  reads: ReadExecutor;
  /** For how long positions are remembered, in milliseconds. */
  historyMs: number;
}

/** Tracks the end of the primary's write-ahead log, and keeps a history of it. */
export class WalTracker {
  readonly #options: WalTrackerOptions;
  readonly #sampleSql: string;
  /** Oldest first: the time of a query, by the clock of this process, and the end of the log at that time at least. */
  #history: { atMs: number; token: ConsistencyToken }[] = [];
  #term: Term | undefined;
  #querying: Promise<ConsistencyToken | undefined> | undefined;
  /** For statements on the primary. */
  readonly probe: LsnProbe = {
    sql: `select ${POSITION}`,
    read: (row) => this.#tokenOf(row as Position),
  };

  constructor(options: WalTrackerOptions) {
    this.#options = options;
    this.#sampleSql = sampleFrom(options.termTable);
  }

  get term(): Term | undefined {
    return this.#term;
  }

  /**
   * A token behind everything that is committed now; undefined if the primary has just changed or cannot be queried.
   * Calls in one iteration of the event loop share one statement.
   */
  currentToken(): Promise<ConsistencyToken | undefined> {
    this.#querying ??= this.#query();
    return this.#querying;
  }

  async #query(): Promise<ConsistencyToken | undefined> {
    // A caller that joins before the statement is sent has committed before it runs.
    await new Promise(setImmediate);
    this.#querying = undefined;
    try {
      const position = await this.#ask<Position>(this.probe.sql);
      const token = position && this.#tokenOf(position);
      return token ?? (await this.sample());
    } catch {
      return undefined;
    }
  }

  /**
   * Queries the primary for the end of its log and for its term, and adds them to the history. Inserts a term if the
   * primary has none, unless `mayInsertTerm` is false.
   * @throws if the primary cannot be queried
   */
  async sample(mayInsertTerm = true): Promise<ConsistencyToken | undefined> {
    const atMs = performance.now();
    const sample = await this.#ask<Sample>(this.#sampleSql);
    if (sample === undefined) return undefined;
    if (sample.term === null || sample.id === null) {
      this.#term = undefined;
      if (mayInsertTerm) await this.#insertTerm(sample);
      return mayInsertTerm ? this.sample(false) : undefined;
    }
    this.#term = { number: sample.term, id: sample.id, timeline: sample.timeline };
    const token = toToken(sample.term, sample.lsn);
    const historyStartMs = atMs - this.#options.historyMs;
    this.#history = this.#history.filter((entry) => entry.atMs >= historyStartMs);
    this.#history.push({ atMs, token });
    return token;
  }

  /** Asks the primary; over a connection for writes if those for reads still lead to one that is lost, as the commit that a token is for did. */
  async #ask<Row>(statement: string): Promise<Row | undefined> {
    const { db, reads } = this.#options;
    const { rows } = await reads
      .run<Row>({ sql: statement, parameters: [] })
      .catch(() => sql.raw<Row>(statement).execute(db));
    return rows[0];
  }

  /** A token behind everything committed before a time of `performance.now()`; undefined until there is one. */
  tokenAt(timeMs: number): ConsistencyToken | undefined {
    return this.#history.find(({ atMs }) => atMs >= timeMs)?.token;
  }

  /** The upper bound of the lag of a replica that has replayed `token`, in milliseconds. */
  lagMs(token: ConsistencyToken): number {
    const replayed = this.#history.findLast((entry) => entry.token <= token);
    return replayed === undefined ? Number.POSITIVE_INFINITY : performance.now() - replayed.atMs;
  }

  #tokenOf({ lsn, timeline }: Position): ConsistencyToken | undefined {
    return this.#term?.timeline === timeline ? toToken(this.#term.number, lsn) : undefined;
  }

  /**
   * A replica that has the row of a term also has everything the primary wrote before it. Its timeline would not tell: a
   * standby that followed the lost primary beyond the promotion never receives the row.
   */
  async #insertTerm({ system, timeline }: Sample): Promise<void> {
    const terms = sql.table(this.#options.termTable);
    await sql`
      insert into ${terms} (term, id, system_identifier, timeline, begun_at)
      select coalesce(max(term), 0) + 1, gen_random_uuid(), ${system}::bigint, ${timeline}, now() from ${terms}
      on conflict do nothing`.execute(this.#options.db);
  }
}
