import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { until } from '@roster/harness/until';
import { type DatabaseProxy, startProxy } from '@roster/local-postgres/testing/proxy';
import { startPrimary, startStandby, type TestPostgres } from '@roster/local-postgres/testing/standby';

/** Small enough that a small disk is never full by itself; a dead standby or link is noticed within two seconds. */
const SETTINGS: Record<string, string> = {
  max_wal_size: '128MB',
  min_wal_size: '64MB',
  wal_keep_size: '96MB',
  wal_sender_timeout: '2s',
  wal_receiver_timeout: '2s',
  wal_receiver_status_interval: '1s',
};
/** A former standby waits for one of its own from the moment it is promoted. */
const OF_STANDBY: Record<string, string> = { ...SETTINGS, synchronous_standby_names: '*' };
const QUERY_MS = 1_000;
const PATIENT_QUERY_MS = 10_000;

const IN_SYNC = `
  select 1 from pg_stat_replication
  where state = 'streaming' and sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()`;

/** Where one of the two lives, whichever role it has. */
type Seat = Pick<TestPostgres, 'name' | 'directory'> & { port?: number };

interface PairOptions {
  /** One directory for each PostgreSQL, the primary's first. */
  dataDirs: readonly [string, string];
  /** Where their logs are kept. */
  directory: string;
}

/** Sends a signal to processes, those that have ended meanwhile aside. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function makeStandby(primary: TestPostgres, seat: Seat, link: DatabaseProxy): Promise<TestPostgres> {
  const { host, port, user } = link.connection;
  await mkdir(seat.directory);
  const primary_conninfo = `host=${host} port=${port} user=${user} application_name=${seat.name}`;
  return startStandby(primary, { ...seat, settings: { ...OF_STANDBY, primary_conninfo } });
}

/**
 * Ends all processes of a PostgreSQL at one moment, as the loss of its machine does. Where the main process alone is
 * killed, sessions that wait for the standby see that, stop waiting, and show others for a moment what the standby does
 * not have (`SyncRepWaitForLSN`).
 */
async function loseMachine(lost: TestPostgres): Promise<void> {
  await lost.pause();
  signalAll((await lost.processes()).reverse(), 'SIGKILL');
  await lost.kill('SIGKILL');
}

/** A primary and its synchronous standby: a commit that is acknowledged is on both. */
export class DatabasePair implements AsyncDisposable {
  primary: TestPostgres;
  standby: TestPostgres;
  /** Between the standby and its primary. */
  readonly replication: DatabaseProxy;
  readonly #directory: string;

  private constructor(parts: Pick<DatabasePair, 'primary' | 'standby' | 'replication'>, directory: string) {
    this.primary = parts.primary;
    this.standby = parts.standby;
    this.replication = parts.replication;
    this.#directory = directory;
  }

  /** Creates, starts and joins them; the database of the service is there and empty. */
  static async start({ dataDirs, directory }: PairOptions): Promise<DatabasePair> {
    const [first, second] = dataDirs.map((dataDir) => join(dataDir, 'pg')) as [string, string];
    await mkdir(first);
    const primary = await startPrimary({ name: 'first', directory: first, settings: SETTINGS });
    const replication = await startProxy(primary);
    const standby = await makeStandby(primary, { name: 'second', directory: second }, replication);
    await primary.waitFor(standby);
    return new DatabasePair({ primary, standby, replication }, directory);
  }

  /** Runs one statement at the primary. */
  query<Row extends object>(sql: string): Promise<Row[]> {
    return this.primary.query<Row>(sql, PATIENT_QUERY_MS);
  }

  /** Where each of them listens, whichever is the primary. */
  get addresses(): TestPostgres['connection'][] {
    return [this.primary.connection, this.standby.connection];
  }

  /** Waits until the standby has all of a running primary, so that it may be promoted. Throws where it never does. */
  async untilInSync(): Promise<void> {
    await until('the standby has caught up', async () => {
      const rows = await this.primary.query(IN_SYNC, QUERY_MS);
      return rows.length > 0;
    });
  }

  /**
   * Loses the primary, promotes the standby, tells when that is done, and makes a new standby in the place of what was
   * the primary. To be called only when they are in sync.
   */
  async failOver(onPromoted: () => void): Promise<void> {
    const lost = this.primary;
    await loseMachine(lost);
    await this.standby.promote();
    this.primary = this.standby;
    this.replication.aim(this.primary.connection);
    onPromoted();
    await this.#keepLog(lost);
    await lost[Symbol.asyncDispose]();
    const { name, directory } = lost;
    const seat = { name, directory, port: lost.connection.port };
    this.standby = await makeStandby(this.primary, seat, this.replication);
    await this.untilInSync();
  }

  /** Adds what each PostgreSQL has written about itself to a file of its name. */
  async keepLogs(): Promise<void> {
    for (const one of [this.primary, this.standby]) await this.#keepLog(one);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.standby[Symbol.asyncDispose]();
    await this.primary[Symbol.asyncDispose]();
    await this.replication[Symbol.asyncDispose]();
  }

  async #keepLog(one: TestPostgres): Promise<void> {
    await appendFile(join(this.#directory, `postgres-${one.name}.log`), await one.log());
  }
}
