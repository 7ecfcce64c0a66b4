import type { Kysely } from 'kysely';
import { parseReplicaUrl } from '../hosts/connection-string.ts';
import { RoutedKysely } from '../kysely/routed-kysely.ts';
import { resolveOptions } from '../options.ts';
import type { Statement } from '../query-hints.ts';
import { codeOf, SQLSTATE } from '../sqlstate.ts';
import type { ReadExecutor, ReadResult, RunOptions } from '../types.ts';
import { type ConsistencyToken, laterToken } from './consistency-token.ts';
import { Replica } from './replica.ts';
import { createReplicaSelector } from './replica-selection.ts';
import { WalTracker } from './wal-tracker.ts';

/** The state that the reads of one request require and have seen. `Replicas.routeReads` updates it after each read. */
export interface ReadState {
  /** Reads must include this position; undefined allows anything within the lag that replicas may have. */
  after: ConsistencyToken | undefined;
  /** Sends all reads to the primary, if it is unknown what they must include. */
  isPrimaryOnly: boolean;
  /** A position behind everything the reads have seen. */
  seen?: ConsistencyToken | undefined;
}

export interface ReplicaState {
  /** Host and port. */
  name: string;
  /** Whether it is read from. */
  isHealthy: boolean;
  /** The upper bound of its lag behind the primary, in milliseconds; infinite if unknown. */
  lagMs: number;
  /** Why it is not read from, for the log. */
  unhealthyReason: string | undefined;
  /** The number of reads it has answered. */
  answered: number;
}

export interface ReplicasOptions<Tables> {
  /** The primary, as `connect` returned it. */
  db: Kysely<Tables>;
  /** The name of the connections to replicas in `pg_stat_activity`. */
  applicationName?: string | undefined;
  /**
   * A table of the primary for its terms, with the columns term (integer, primary key), id (uuid), system_identifier
   * (bigint), timeline (text) and begun_at (timestamptz), and a unique constraint on system_identifier and timeline. Each
   * primary inserts one row when it takes over.
   */
  termTable: string;
  /** The `postgres://` URLs of standbys that stream from the primary, one host each. */
  urls: readonly string[];
  /** The maximum lag of a standby that is read from, in milliseconds; 10,000 by default. */
  lagMaxMs?: number;
  /** Called once when the primary cannot be queried for its position; until it can, no replica is read from. */
  onFailure?: ((error: Error) => void) | undefined;
  /** Called when a replica becomes healthy or unhealthy. */
  onChange?: ((replica: ReplicaState) => void) | undefined;
}

/** Routes reads to replicas. */
export interface Replicas extends AsyncDisposable {
  /** The same database with its reads outside transactions routed to a replica if it has replayed what they require. */
  routeReads<Tables>(db: Kysely<Tables>, state: ReadState): Kysely<Tables>;
  /** A token behind everything committed so far; undefined if it cannot be determined. */
  currentToken(): Promise<ConsistencyToken | undefined>;
  /** A token behind everything committed before a time of `performance.now()`; undefined until it is known. */
  tokenAt(timeMs: number): ConsistencyToken | undefined;
  states(): ReplicaState[];
}

const SAMPLE_INTERVAL_MS = 100;
const CONNECT_TIMEOUT_MS = 1_000;

/** The errors of statements that waited too long, for the database or for a lock. */
const timedOut = new Set<string | undefined>([SQLSTATE.queryCanceled, SQLSTATE.lockNotAvailable]);

/**
 * Monitors the replicas of a database and routes reads to them. No read returns data that is older than its token, or
 * older than `lagMaxMs`. If a replica cannot answer, the read runs on the primary.
 * @throws TypeError if `db` was not opened by `connect`, or for an invalid URL
 */
export function openReplicas<Tables>({
  db,
  applicationName,
  termTable,
  urls,
  lagMaxMs = 10_000,
  onFailure,
  onChange,
}: ReplicasOptions<Tables>): Replicas {
  if (!(db instanceof RoutedKysely)) throw new TypeError('db must have been opened by connect');
  const { reads: primary } = db;
  const wal = new WalTracker({ db, termTable, reads: primary, historyMs: lagMaxMs + SAMPLE_INTERVAL_MS });
  const replicas = urls.map((url) => {
    const { host, port } = parseReplicaUrl(url);
    const { factory, pipeline, preparedStatementsMax, timeouts } = resolveOptions({
      connection: url,
      applicationName,
      timeouts: { connectMs: CONNECT_TIMEOUT_MS },
    });
    const { connectMs: waitMs, silenceMs } = timeouts;
    return new Replica({
      name: `${host}:${port}`,
      pipeline: { ...pipeline, factory, preparedStatementsMax, waitMs, silenceMs },
      wal,
      termTable,
      lagMaxMs,
      onChange: (replica) => onChange?.(stateOf(replica)),
    });
  });
  const select = createReplicaSelector(replicas);
  let hasFailed = false;
  const sample = () =>
    void wal.sample().then(
      () => {
        hasFailed = false;
      },
      (error: Error) => {
        if (!hasFailed) onFailure?.(error);
        hasFailed = true;
      },
    );
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS).unref();
  sample();
  return {
    routeReads: <Tables>(routed: Kysely<Tables>, state: ReadState): Kysely<Tables> => {
      if (!(routed instanceof RoutedKysely)) return routed;
      return (routed as RoutedKysely<Tables>).withRouting({
        reads: readsOf({ state, select, primary, wal }),
      });
    },
    currentToken: () => wal.currentToken(),
    tokenAt: (timeMs) => wal.tokenAt(timeMs),
    states: () => replicas.map(stateOf),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}

function stateOf({ name, isHealthy, lagMs, unhealthyReason, answered }: Replica): ReplicaState {
  return { name, isHealthy, lagMs, unhealthyReason, answered };
}

interface Route {
  state: ReadState;
  select: (after: ConsistencyToken | undefined) => Promise<Replica | undefined>;
  primary: ReadExecutor;
  wal: WalTracker;
}

/** Runs the reads of one request on a replica or on the primary, and updates its read state. */
function readsOf({ state, select, primary, wal }: Route): ReadExecutor {
  const recorded = <R>(result: ReadResult<R>): ReadResult<R> => {
    state.seen = laterToken(state.seen, result.lsn);
    state.after = laterToken(state.after, result.lsn);
    return result;
  };
  return {
    run: async <R>(statement: Statement, options: RunOptions = {}) => {
      const { after } = state;
      const replica = state.isPrimaryOnly ? undefined : await select(after);
      try {
        if (replica !== undefined) return recorded(await replica.read<R>(statement, { ...options, after }));
      } catch (error) {
        // A statement that timed out would time out on the primary too.
        if (options.signal?.aborted || timedOut.has(codeOf(error))) throw error;
      }
      return recorded(await primary.run<R>(statement, { ...options, lsnCheck: { probe: wal.probe } }));
    },
  };
}
