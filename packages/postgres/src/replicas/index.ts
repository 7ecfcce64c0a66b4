import type { Kysely } from 'kysely';
import { readReplica } from '../hosts/connection-string.ts';
import { openingFor } from '../hosts/request-connections.ts';
import type { Reads, RunOptions } from '../pipeline/pool.ts';
import type { Statement } from '../query-hints.ts';
import { PartedKysely } from '../routed-kysely.ts';
import { codeOf, SQLSTATE } from '../sqlstate.ts';
import { type ConsistencyToken, laterOf } from './consistency-token.ts';
import { Replica } from './replica.ts';
import { chooserOf } from './replica-selection.ts';
import { PrimaryLog } from './wal-tracker.ts';

/** What the reads of one request have to see, and what they may have seen. */
export interface Trail {
  /** What they have to see at least; anything within the lag that replicas may have, unless given. */
  after: ConsistencyToken | undefined;
  /** Whether they go to the primary, because it is not known what they have to see. */
  isPrimaryOnly: boolean;
  /** What they may have seen at most. */
  seen?: ConsistencyToken | undefined;
}

/** How a replica is at the moment. */
export interface ReplicaState {
  /** Host and port. */
  name: string;
  /** Whether it is read from. */
  isWell: boolean;
  /** How far behind the primary it may be, in milliseconds; infinite where that is not known. */
  lagMs: number;
  /** Why it is left aside, in words for the log. */
  fault: string | undefined;
  /** How many reads it has answered. */
  answered: number;
}

export interface ReplicasOptions<Tables> {
  /** The primary, as `connect` answers it. */
  db: Kysely<Tables>;
  /**
   * A table of the primary with the columns term (integer, the key), id (uuid), system_identifier (bigint) and timeline
   * (text), both together unique, and begun_at (timestamptz): each primary writes one row when it takes over.
   */
  termTable: string;
  /** The `postgres://` URLs of standbys that stream from it, one server each. */
  urls: readonly string[];
  /** How far behind a standby may be and still be read from, in milliseconds; 10,000 by default. */
  lagMaxMs?: number;
  /** Told what keeps the primary from saying where its log ends, once each time; without that no replica is read from. */
  onFailure?: ((error: Error) => void) | undefined;
  /** Told when a replica is left aside, and when it is taken back. */
  onChange?: ((replica: ReplicaState) => void) | undefined;
}

/** Sends reads to replicas, as far as those have come. */
export interface Replicas extends AsyncDisposable {
  /** The primary as one caller has it (`whileThere`), whose reads outside transactions go to a replica where the trail allows it. */
  reading<Tables>(db: Kysely<Tables>, trail: Trail): Kysely<Tables>;
  /** A token behind everything committed so far; undefined where it cannot be had. */
  now(): Promise<ConsistencyToken | undefined>;
  /** The same for a moment of `performance.now()`; undefined until it is known. */
  since(ms: number): ConsistencyToken | undefined;
  /** How each replica is. */
  state(): ReplicaState[];
}

const SAMPLE_MS = 100;
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Watches the replicas of a database and reads from them. Nobody reads what is older than what he has seen, as his
 * token says it, and nobody what is older than `lagMaxMs`. Whatever a replica cannot answer is asked of the primary.
 * @throws TypeError where `db` is not of `connect`, or a URL is none.
 */
export function openReplicas<Tables>({
  db,
  termTable,
  urls,
  lagMaxMs = 10_000,
  onFailure,
  onChange,
}: ReplicasOptions<Tables>): Replicas {
  if (!(db instanceof PartedKysely)) throw new TypeError('db must be what connect answers');
  const { reads: primary } = db;
  const log = new PrimaryLog({ db, termTable, reads: primary, keptMs: lagMaxMs + SAMPLE_MS });
  const replicas = urls.map((url) => openReplica(url, { log, termTable, lagMaxMs, onChange }));
  const choose = chooserOf(replicas);
  let hasFailed = false;
  const sample = () =>
    void log.sample().then(
      () => {
        hasFailed = false;
      },
      (error: Error) => {
        if (!hasFailed) onFailure?.(error);
        hasFailed = true;
      },
    );
  const timer = setInterval(sample, SAMPLE_MS).unref();
  sample();
  return {
    reading: <Tables>(theirs: Kysely<Tables>, trail: Trail): Kysely<Tables> => {
      if (!(theirs instanceof PartedKysely)) return theirs;
      return (theirs as PartedKysely<Tables>).readingBy(readsOf({ trail, choose, primary, log }));
    },
    now: () => log.now(),
    since: (ms) => log.since(ms),
    state: () => replicas.map(stateOf),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}

function openReplica(
  url: string,
  {
    onChange,
    ...options
  }: Pick<ReplicasOptions<unknown>, 'onChange' | 'termTable'> & {
    log: PrimaryLog;
    lagMaxMs: number;
  },
): Replica {
  const { host, port } = readReplica(url);
  const timeouts = {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    lockTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  return new Replica({
    name: `${host}:${port}`,
    pipelines: {
      opening: openingFor(url, timeouts),
      pipelines: 4,
      pendingMax: 1_000,
      namesMax: 250,
      waitMs: CONNECT_TIMEOUT_MS,
      silenceMs: STATEMENT_TIMEOUT_MS + 1_000,
    },
    ...options,
    onChange: (replica) => onChange?.(stateOf(replica)),
  });
}

function stateOf({ name, isWell, lagMs, fault, answered }: Replica): ReplicaState {
  return { name, isWell, lagMs, fault, answered };
}

interface Ways {
  trail: Trail;
  choose: (after: ConsistencyToken | undefined) => Promise<Replica | undefined>;
  primary: Reads;
  log: PrimaryLog;
}

/** Where the reads of one request go. */
function readsOf({ trail, choose, primary, log }: Ways): Reads {
  const noted = <Result extends { reached?: ConsistencyToken | undefined }>(result: Result): Result => {
    trail.seen = laterOf(trail.seen, result.reached);
    trail.after = laterOf(trail.after, result.reached);
    return result;
  };
  return {
    run: async <R>(statement: Statement, waiter: RunOptions = {}) => {
      const { after } = trail;
      const replica = trail.isPrimaryOnly ? undefined : await choose(after);
      try {
        if (replica !== undefined) return noted(await replica.read<R>(statement, { ...waiter, after }));
      } catch (error) {
        // A statement that took too long would take as long on the primary.
        if (waiter.signal?.aborted || codeOf(error) === SQLSTATE.queryCanceled) throw error;
      }
      return noted(await primary.run<R>(statement, { ...waiter, marked: { mark: log.mark } }));
    },
  };
}
