import type { Kysely } from 'kysely';
import type { Statement } from '../driver/declared.ts';
import { PartedKysely } from '../driver/parted-kysely.ts';
import type { Reads, RunOptions } from '../driver/pipelines.ts';
import { openingFor } from '../opening-for-requests.ts';
import { readReplica } from '../servers/addresses.ts';
import type { Database } from '../tables.ts';
import { chooserOf } from './choose.ts';
import { PrimaryLog } from './primary-log.ts';
import { Replica } from './replica.ts';
import { type ConsistencyToken, laterOf } from './token.ts';

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

export interface ReplicasOptions {
  /** The primary, as `connect` answers it. */
  db: Kysely<Database>;
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
  reading(db: Kysely<Database>, trail: Trail): Kysely<Database>;
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
/** SQLSTATE query_canceled: it took too long, and would take as long on the primary. */
const CANCELED = '57014';

/**
 * Watches the replicas of a database and reads from them. Nobody reads what is older than what he has seen, as his
 * token says it, and nobody what is older than `lagMaxMs`. Whatever a replica cannot answer is asked of the primary.
 * @throws TypeError where `db` is not of `connect`, or a URL is none.
 */
export function openReplicas({
  db,
  urls,
  lagMaxMs = 10_000,
  onFailure,
  onChange,
}: ReplicasOptions): Replicas {
  if (!(db instanceof PartedKysely)) throw new TypeError('db must be what connect answers');
  const { reads: primary } = db as PartedKysely<Database>;
  const log = new PrimaryLog({ db, reads: primary, keptMs: lagMaxMs + SAMPLE_MS });
  const replicas = urls.map((url) => openReplica(url, { log, lagMaxMs, onChange }));
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
    reading: (theirs, trail) => {
      if (!(theirs instanceof PartedKysely)) return theirs;
      return (theirs as PartedKysely<Database>).readingBy(readsOf({ trail, choose, primary, log }));
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
  { log, lagMaxMs, onChange }: Pick<ReplicasOptions, 'onChange'> & { log: PrimaryLog; lagMaxMs: number },
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
    log,
    lagMaxMs,
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
        if (waiter.signal?.aborted || (error as { code?: unknown }).code === CANCELED) throw error;
      }
      return noted(await primary.run<R>(statement, { ...waiter, marked: { mark: log.mark } }));
    },
  };
}
