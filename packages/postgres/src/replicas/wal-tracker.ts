import { type QueryExecutorProvider, sql } from 'kysely';
import type { Reads } from '../pipeline/pool.ts';
import { type ConsistencyToken, tokenOf } from './consistency-token.ts';
import type { Mark } from './lsn-check.ts';

/** The primary that writes at present: a number that grows, and an id that a replica of it has too. */
export interface Term {
  number: number;
  id: string;
  timeline: string;
}

interface Place {
  lsn: string;
  timeline: string;
}

/**
 * The end of the log, behind everything that was committed before this was asked. Not the flushed end: with
 * `synchronous_commit = off` a commit is acknowledged before it is flushed.
 */
const PLACE = `
  pg_current_wal_insert_lsn()::text as lsn, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`;

const sampleIn = (termTable: string) => `
  select ${PLACE}, s.system_identifier::text as system, t.term, t.id
  from pg_control_system() s
    left join ${termTable} t on t.system_identifier = s.system_identifier
      and t.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

interface Sampled extends Place {
  system: string;
  term: number | null;
  id: string | null;
}

export interface PrimaryLogOptions {
  db: QueryExecutorProvider;
  /** The table of the primaries' terms, as a name in SQL. */
  termTable: string;
  /** The pipelines of the primary. */
  reads: Reads;
  /** How far back it is remembered when the log ended where, in milliseconds. */
  keptMs: number;
}

/** Knows where the log of the primary ends, and where it ended some time ago. */
export class PrimaryLog {
  readonly #options: PrimaryLogOptions;
  readonly #sample: string;
  /** Oldest first: when it was asked, by the clock of the process, and where the log ended then at least. */
  #samples: { atMs: number; token: ConsistencyToken }[] = [];
  #term: Term | undefined;
  #asking: Promise<ConsistencyToken | undefined> | undefined;
  /** Says of a statement on the primary how far the log had come. */
  readonly mark: Mark = {
    sql: `select ${PLACE}`,
    read: (row) => this.#tokenOf(row as Place),
  };

  constructor(options: PrimaryLogOptions) {
    this.#options = options;
    this.#sample = sampleIn(options.termTable);
  }

  get term(): Term | undefined {
    return this.#term;
  }

  /**
   * A token behind everything that is committed by now; undefined where the primary has just changed or cannot be asked.
   * Those who ask in the same turn of the event loop are answered by one statement.
   */
  now(): Promise<ConsistencyToken | undefined> {
    this.#asking ??= this.#ask();
    return this.#asking;
  }

  async #ask(): Promise<ConsistencyToken | undefined> {
    // Whoever joins before the statement is sent has committed before it runs.
    await new Promise(setImmediate);
    this.#asking = undefined;
    try {
      const { rows } = await this.#options.reads.run<Place>({ sql: this.mark.sql, parameters: [] });
      const token = rows[0] && this.#tokenOf(rows[0]);
      return token ?? (await this.sample());
    } catch {
      return undefined;
    }
  }

  /** Looks where the log ends, and who writes it. Throws where the primary does not answer. */
  async sample(mayBegin = true): Promise<ConsistencyToken | undefined> {
    const atMs = performance.now();
    const { rows } = await this.#options.reads.run<Sampled>({ sql: this.#sample, parameters: [] });
    const [sampled] = rows;
    if (sampled === undefined) return undefined;
    if (sampled.term === null || sampled.id === null) {
      this.#term = undefined;
      if (mayBegin) await this.#beginTerm(sampled);
      return mayBegin ? this.sample(false) : undefined;
    }
    this.#term = { number: sampled.term, id: sampled.id, timeline: sampled.timeline };
    const token = tokenOf(sampled.term, sampled.lsn);
    const keptFromMs = atMs - this.#options.keptMs;
    this.#samples = this.#samples.filter((sample) => sample.atMs >= keptFromMs);
    this.#samples.push({ atMs, token });
    return token;
  }

  /** A token behind everything that was committed before this moment of `performance.now()`, once there is one. */
  since(ms: number): ConsistencyToken | undefined {
    return this.#samples.find(({ atMs }) => atMs >= ms)?.token;
  }

  /** How long ago, in milliseconds, a replica that has come so far was a copy of the primary for certain. */
  lagMs(token: ConsistencyToken): number {
    const sample = this.#samples.findLast((earlier) => earlier.token <= token);
    return sample === undefined ? Number.POSITIVE_INFINITY : performance.now() - sample.atMs;
  }

  #tokenOf({ lsn, timeline }: Place): ConsistencyToken | undefined {
    return this.#term?.timeline === timeline ? tokenOf(this.#term.number, lsn) : undefined;
  }

  /**
   * A replica that has the row of a term has everything of the primary before it too, which its timeline would not say:
   * one that followed the lost primary beyond the promotion never gets the row.
   */
  async #beginTerm({ system, timeline }: Sampled): Promise<void> {
    const terms = sql.table(this.#options.termTable);
    await sql`
      insert into ${terms} (term, id, system_identifier, timeline, begun_at)
      select coalesce(max(term), 0) + 1, gen_random_uuid(), ${system}::bigint, ${timeline}, now() from ${terms}
      on conflict do nothing`.execute(this.#options.db);
  }
}
