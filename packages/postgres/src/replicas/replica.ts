import { Reachability } from '../circuit-breaker.ts';
import { BehindError } from '../errors.ts';
import { Pipelines, type PipelinesOptions, type RunOptions } from '../pipeline/pool.ts';
import type { Statement } from '../query-hints.ts';
import { type ConsistencyToken, tokenOf } from './consistency-token.ts';
import type { Mark, MarkedResult } from './lsn-check.ts';
import type { PrimaryLog } from './wal-tracker.ts';

/** How often each replica is looked at, in milliseconds. */
const LOOK_MS = 100;
/** One that says nothing for so long is left aside, and what it was asked is asked of the primary. */
const SILENCE_MS = 1_000;
/** A look that somebody asks for is not made more often than this. */
const LOOK_AGAIN_MS = 5;

const lookIn = (termTable: string) => `
  select pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline,
    (select id from ${termTable} order by term desc limit 1) as term`;

interface Looked {
  isStandby: boolean;
  lsn: string | null;
  timeline: string | null;
  term: string | null;
}

export interface ReplicaOptions {
  /** Its name in messages: host and port. */
  name: string;
  pipelines: Omit<PipelinesOptions, 'onIdleError' | 'reachability'>;
  log: PrimaryLog;
  /** The table of the primaries' terms, as a name in SQL. */
  termTable: string;
  lagMaxMs: number;
  onChange: (replica: Replica) => void;
}

/** One replica: reads go to it while it is well and has replayed what they need. */
export class Replica {
  readonly name: string;
  readonly #options: ReplicaOptions;
  readonly #reachability: Reachability;
  readonly #reads: Pipelines;
  /** A connection of its own for looking, on which nothing slow stands in front. */
  readonly #looks: Pipelines;
  readonly #mark: Mark;
  readonly #timer: NodeJS.Timeout;
  #reached: ConsistencyToken | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  /** Undefined until it has had the time to answer. */
  #wasWell: boolean | undefined;
  readonly #openedMs = performance.now();
  #failure: Error | undefined;
  /** How many reads it has answered. */
  answered = 0;

  constructor(options: ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    // Its errors are told by what it does: it is left aside, and its reads go to the primary.
    // Nobody waits for a machine that hangs until each of its connections has been silent for long enough.
    const { opening } = options.pipelines;
    this.#reachability = new Reachability({ opening, patienceMs: SILENCE_MS / 2 });
    const common = { ...options.pipelines, reachability: this.#reachability, onIdleError: () => undefined };
    this.#reads = new Pipelines(common);
    this.#looks = new Pipelines({ ...common, pipelines: 1, silenceMs: SILENCE_MS, waitMs: SILENCE_MS });
    this.#mark = { sql: lookIn(options.termTable), read: (row) => this.#read(row as Looked) };
    this.#timer = setInterval(() => this.#tick(), LOOK_MS).unref();
    void this.look();
  }

  /** How far it was known to have come when it was last asked; it may have come further. */
  get reached(): ConsistencyToken | undefined {
    return this.#reached;
  }

  get pending(): number {
    return this.#reads.pending;
  }

  /** Answers, follows the primary, and is no further behind than it may be. */
  get isWell(): boolean {
    if (this.#reached === undefined || performance.now() - this.#lookedMs > SILENCE_MS) return false;
    return this.lagMs <= this.#options.lagMaxMs;
  }

  /** How far behind the primary it may be, in milliseconds: never less than it is. */
  get lagMs(): number {
    return this.#reached === undefined ? Number.POSITIVE_INFINITY : this.#options.log.lagMs(this.#reached);
  }

  /** Why it is left aside, in words for the log; undefined where it is well. */
  get fault(): string | undefined {
    if (this.isWell) return undefined;
    if (this.#failure !== undefined) return messageOf(this.#failure);
    if (this.#reached === undefined) return 'does not follow the present primary';
    return 'is too far behind, or was not heard of for too long';
  }

  /**
   * Runs a statement that only reads, on data not older than `after`; the result says what it may have seen at most.
   * @throws BehindError where it has not come so far, or is no copy of the primary; ConnectionLostError; what it says.
   */
  async read<R>(
    statement: Statement,
    {
      after,
      ...waiter
    }: Pick<RunOptions, 'signal' | 'hasLeft' | 'caller'> & { after: ConsistencyToken | undefined },
  ): Promise<MarkedResult<R>> {
    const marked = { mark: this.#mark, after };
    const result = await this.#reads.run<R>(statement, { ...waiter, marked, isRepeatable: false });
    if (result.reached === undefined) throw new BehindError();
    this.answered += 1;
    return result;
  }

  /** Asks it how far it has come. Ends when it has answered, or has not for too long. */
  async look(): Promise<void> {
    if (this.#looking === undefined && performance.now() - this.#lookedMs < LOOK_AGAIN_MS) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#reads.close(), this.#looks.close()]);
    await this.#reachability.close();
  }

  #tick(): void {
    void this.look();
    const { isWell } = this;
    const isNew = performance.now() - this.#openedMs < SILENCE_MS;
    if (isWell === this.#wasWell || (isNew && !isWell && this.#wasWell === undefined)) return;
    this.#wasWell = isWell;
    this.#options.onChange(this);
  }

  async #look(): Promise<void> {
    try {
      const { rows } = await this.#looks.run<Looked>(
        { sql: this.#mark.sql, parameters: [] },
        { isRepeatable: false },
      );
      this.#reached = rows[0] && this.#read(rows[0]);
      this.#lookedMs = performance.now();
      this.#failure = undefined;
    } catch (error) {
      this.#reached = undefined;
      this.#failure = error as Error;
    }
  }

  /** A standby counts while it follows the present primary; one that was promoted, where it is that primary. */
  #read({ isStandby, lsn, timeline, term }: Looked): ConsistencyToken | undefined {
    const present = this.#options.log.term;
    if (present === undefined || lsn === null || term !== present.id) return undefined;
    if (!isStandby && timeline !== present.timeline) return undefined;
    return tokenOf(present.number, lsn);
  }
}

/** What the network or PostgreSQL said; an error of ours may hold theirs. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}
