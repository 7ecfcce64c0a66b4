import { CircuitBreaker } from '../circuit-breaker.ts';
import { ReplicaBehindError } from '../errors.ts';
import { PipelinePool, type PipelinePoolOptions } from '../pipeline/pool.ts';
import type { Statement } from '../query-hints.ts';
import type { CallerOptions, LsnProbe, ReadResult } from '../types.ts';
import { type ConsistencyToken, toToken } from './consistency-token.ts';
import type { WalTracker } from './wal-tracker.ts';

const PROBE_INTERVAL_MS = 100;
/** A replica that has not responded for this long is not read from, and its reads run on the primary. */
const SILENCE_MS = 1_000;
/** Probes on demand are at least this far apart. */
const PROBE_MIN_INTERVAL_MS = 5;

const probeFrom = (termTable: string) => `
  select pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline,
    (select id from ${termTable} order by term desc limit 1) as term`;

interface Probed {
  isStandby: boolean;
  lsn: string | null;
  timeline: string | null;
  term: string | null;
}

interface ReadOptions extends CallerOptions {
  signal?: AbortSignal | undefined;
  /** The position it must have replayed. */
  after: ConsistencyToken | undefined;
}

export interface ReplicaOptions {
  /** Host and port, for messages. */
  name: string;
  pipeline: Omit<PipelinePoolOptions, 'onIdleError' | 'breaker'>;
  wal: WalTracker;
  /** The table of terms, as an SQL identifier. */
  termTable: string;
  lagMaxMs: number;
  onChange: (replica: Replica) => void;
}

/** A replica, which is read from while it is healthy and has replayed what a read requires. */
export class Replica {
  readonly name: string;
  readonly #options: ReplicaOptions;
  readonly #breaker: CircuitBreaker;
  readonly #reads: PipelinePool;
  /** A connection for probes alone, which no slow read can block. */
  readonly #probes: PipelinePool;
  readonly #lsnProbe: LsnProbe;
  readonly #timer: NodeJS.Timeout;
  /** The position it had replayed at the last probe; it may have replayed more. */
  replayedTo: ConsistencyToken | undefined;
  #probedMs = Number.NEGATIVE_INFINITY;
  #probing: Promise<void> | undefined;
  /** Undefined until it has had time to respond. */
  #wasHealthy: boolean | undefined;
  readonly #openedMs = performance.now();
  #failure: Error | undefined;
  /** The number of reads it has answered. */
  answered = 0;

  constructor(options: ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    // Idle errors are not reported: they make the replica unhealthy, which is. The breaker needs half the time of a
    // probe to find that the machine hangs, so that not each connection has to time out.
    const { factory } = options.pipeline;
    this.#breaker = new CircuitBreaker({ factory, unresponsiveMs: SILENCE_MS / 2 });
    const shared = { ...options.pipeline, breaker: this.#breaker, onIdleError: () => undefined };
    this.#reads = new PipelinePool(shared);
    this.#probes = new PipelinePool({
      ...shared,
      connections: 1,
      silenceMs: SILENCE_MS,
      waitMs: SILENCE_MS,
    });
    this.#lsnProbe = { sql: probeFrom(options.termTable), read: (row) => this.#tokenOf(row as Probed) };
    this.#timer = setInterval(() => this.#onTimer(), PROBE_INTERVAL_MS).unref();
    void this.probe();
  }

  get pending(): number {
    return this.#reads.pending;
  }

  /** Whether it responds, follows the current primary, and lags by `lagMaxMs` at most. */
  get isHealthy(): boolean {
    if (this.replayedTo === undefined || performance.now() - this.#probedMs > SILENCE_MS) return false;
    return this.lagMs <= this.#options.lagMaxMs;
  }

  /** The upper bound of its lag behind the primary, in milliseconds. */
  get lagMs(): number {
    return this.replayedTo === undefined
      ? Number.POSITIVE_INFINITY
      : this.#options.wal.lagMs(this.replayedTo);
  }

  /** Why it is not healthy, for the log; undefined if it is. */
  get unhealthyReason(): string | undefined {
    if (this.isHealthy) return undefined;
    if (this.#failure !== undefined) return rootMessage(this.#failure);
    if (this.replayedTo === undefined) return 'does not follow the current primary';
    return 'lags too far behind, or has not responded for too long';
  }

  /**
   * Runs a read-only statement on data that is not older than `after`; `lsn` of the result is behind all it has seen.
   * @throws ReplicaBehindError if it has not replayed that, or does not follow the primary; ConnectionLostError; the error
   *   of PostgreSQL
   */
  async read<R>(statement: Statement, { after, ...options }: ReadOptions): Promise<ReadResult<R>> {
    const lsnCheck = { probe: this.#lsnProbe, minLsn: after };
    const result = await this.#reads.run<R>(statement, { ...options, lsnCheck, isRetryable: false });
    if (result.lsn === undefined) throw new ReplicaBehindError();
    this.answered += 1;
    return result;
  }

  /** Updates `replayedTo`. Resolves when the replica has responded or has failed to. */
  async probe(): Promise<void> {
    if (this.#probing === undefined && performance.now() - this.#probedMs < PROBE_MIN_INTERVAL_MS) return;
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined;
    });
    await this.#probing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#reads.close(), this.#probes.close()]);
    await this.#breaker.destroy();
  }

  #onTimer(): void {
    void this.probe();
    const { isHealthy } = this;
    const isNew = performance.now() - this.#openedMs < SILENCE_MS;
    if (isHealthy === this.#wasHealthy || (isNew && !isHealthy && this.#wasHealthy === undefined)) return;
    this.#wasHealthy = isHealthy;
    this.#options.onChange(this);
  }

  async #runProbe(): Promise<void> {
    try {
      const { rows } = await this.#probes.run<Probed>(
        { sql: this.#lsnProbe.sql, parameters: [] },
        { isRetryable: false },
      );
      this.replayedTo = rows[0] && this.#tokenOf(rows[0]);
      this.#probedMs = performance.now();
      this.#failure = undefined;
    } catch (error) {
      this.replayedTo = undefined;
      this.#failure = error as Error;
    }
  }

  /** Undefined for a standby that does not follow the current primary, and for a primary that is not the current one. */
  #tokenOf({ isStandby, lsn, timeline, term }: Probed): ConsistencyToken | undefined {
    const current = this.#options.wal.term;
    if (current === undefined || lsn === null || term !== current.id) return undefined;
    if (!isStandby && timeline !== current.timeline) return undefined;
    return toToken(current.number, lsn);
  }
}

/** The message of the socket or of PostgreSQL, which an error of this package may wrap. */
function rootMessage({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}
