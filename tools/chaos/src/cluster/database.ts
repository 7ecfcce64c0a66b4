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

/** Makes a standby where one of the two lives, whichever role it had. */
async function makeStandby(
  primary: TestPostgres,
  seat: { name: string; directory: string; port?: number },
  link: DatabaseProxy,
): Promise<TestPostgres> {
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
  readonly #logDirectory: string;

  private constructor(
    parts: Pick<DatabasePair, 'primary' | 'standby' | 'replication'>,
    logDirectory: string,
  ) {
    this.primary = parts.primary;
    this.standby = parts.standby;
    this.replication = parts.replication;
    this.#logDirectory = logDirectory;
  }

  /** Creates, starts and joins them, each in a directory; the database of the service is there and empty. */
  static async start(dataDirs: readonly string[], logDirectory: string): Promise<DatabasePair> {
    const [first = '', second = ''] = dataDirs.map((dataDir) => join(dataDir, 'pg'));
    await mkdir(first);
    const primary = await startPrimary({ name: 'first', directory: first, settings: SETTINGS });
    const replication = await startProxy(primary);
    const standby = await makeStandby(primary, { name: 'second', directory: second }, replication);
    await primary.waitFor(standby);
    return new DatabasePair({ primary, standby, replication }, logDirectory);
  }

  /** Runs one statement at the primary. */
  query<Row extends object>(sql: string): Promise<Row[]> {
    return this.primary.query<Row>(sql, PATIENT_QUERY_MS);
  }

  /** Waits until the standby has all of a running primary, so that it may be promoted. Throws where it never does. */
  async untilInSync(): Promise<void> {
    const isInSync = async () => (await this.primary.query(IN_SYNC, QUERY_MS)).length > 0;
    await until('the standby has caught up', isInSync);
  }

  /** Loses the primary and promotes the standby; what was the primary is the standby, and dead. To be called only when they are in sync. */
  async promote(): Promise<void> {
    await loseMachine(this.primary);
    await this.standby.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
    this.replication.aim(this.primary.connection);
  }

  /** Makes a new standby in the place of one that is lost. */
  async replaceStandby(): Promise<void> {
    const lost = this.standby;
    await this.keepLog(lost);
    await lost[Symbol.asyncDispose]();
    const seat = { name: lost.name, directory: lost.directory, port: lost.connection.port };
    this.standby = await makeStandby(this.primary, seat, this.replication);
    await this.untilInSync();
  }

  /** Adds what one of them has written about itself to a file of its name. */
  async keepLog(one: TestPostgres): Promise<void> {
    await appendFile(join(this.#logDirectory, `postgres-${one.name}.log`), await one.log());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of [this.standby, this.primary, this.replication]) await one[Symbol.asyncDispose]();
  }
}
