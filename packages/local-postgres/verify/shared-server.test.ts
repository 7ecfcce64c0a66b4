import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, FAST, openInChild, type Scratch, scratch, serverPid } from '../src/children.fixture.ts';
import { type LocalPostgres, startLocalPostgres } from '../src/index.ts';
import { startTimeOf } from '../src/process-info.ts';

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
});

afterAll(() => known[Symbol.asyncDispose]());

const options = () => ({ dataDir: known.dataDir, settings: FAST });

const runs = async (pid: number | undefined) => pid !== undefined && (await startTimeOf(pid)) !== undefined;

async function answersWithin(connection: LocalPostgres['connection'], limitMs: number): Promise<unknown> {
  for (const deadline = Date.now() + limitMs; ; await sleep(20)) {
    try {
      return await ask(connection, 'select 1');
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

describe('two processes on one directory', () => {
  it('that start at once in an empty directory create one cluster and share one server, which the last stops', async () => {
    const [one, other] = await Promise.all([openInChild(options()), openInChild(options())]);
    const made = [...one.progress, ...other.progress].filter((line) =>
      line.startsWith('creating a new database'),
    );
    expect(made).toHaveLength(1);
    expect(one.adopted).toBe(!other.adopted);
    const pid = await serverPid(known.data);
    await one.close();
    expect(await ask(other.connection, 'select 1')).toBe(1);
    await other.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('keep the server when one is killed, until the other stops it', async () => {
    const killed = await openInChild(options());
    const living = await openInChild(options());
    const pid = await serverPid(known.data);
    await killed.kill();
    // PostgreSQL ends the connection of a killed process when it notices.
    const leases = `select count(*)::int from pg_locks where locktype = 'advisory'`;
    await expect.poll(() => ask(living.connection, leases)).toBe(1);
    await living.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('hand over at any moment: one that closes never stops the server of one that starts', async () => {
    let leaving = await startLocalPostgres(options());
    for (let round = 0; round < 12; round += 1) {
      const pauseMs = (round % 4) * 10;
      const coming = sleep(pauseMs).then(() => startLocalPostgres(options()));
      await leaving.close();
      leaving = await coming;
      expect(await ask(leaving.connection, 'select 1')).toBe(1);
    }
    const pid = await serverPid(known.data);
    await leaving.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });
});

describe('a server', () => {
  it('outlives the SIGKILL of its only user; the next start adopts it with everything acknowledged', async () => {
    const child = await openInChild(options());
    await ask(child.connection, 'create table if not exists survivor as select 42 as answer');
    const pid = await serverPid(known.data);
    await child.kill();
    expect(await runs(pid)).toBe(true);

    const next = await startLocalPostgres(options());
    expect(next.adopted).toBe(true);
    expect(await serverPid(known.data)).toBe(pid);
    expect(await ask(next.connection, 'select answer from survivor')).toBe(42);
    await next.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('outlives the signals that a terminal sends to the process group of its user', async () => {
    const child = await openInChild(options());
    const pid = await serverPid(known.data);
    process.kill(-(child.process.pid ?? 0), 'SIGINT');
    await child.kill();
    expect(await runs(pid)).toBe(true);
    await (await startLocalPostgres(options())).close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('that is killed is started again by the processes that use it', async () => {
    const one = await startLocalPostgres(options());
    const other = await startLocalPostgres(options());
    const pid = (await serverPid(known.data)) ?? 0;
    process.kill(pid, 'SIGKILL');
    expect(await answersWithin(one.connection, 5000)).toBe(1);
    const successor = await serverPid(known.data);
    expect(successor).not.toBe(pid);
    await one.close();
    expect(await answersWithin(other.connection, 1000)).toBe(1);
    await other.close();
    expect(await runs(successor)).toBe(false);
  });

  it('stays for a process whose lease was cut, when the others close', async () => {
    const cut = await startLocalPostgres(options());
    const other = await startLocalPostgres(options());
    const sessions = `from pg_stat_activity where application_name like '% (server lease)'`;
    const before = await ask(other.connection, 'select clock_timestamp()::text');
    await ask(other.connection, `select count(pg_terminate_backend(pid)) ${sessions}`);
    // Sessions that were cut may be listed for a moment.
    for (let seen = 0; seen < 2; await sleep(20)) {
      seen = Number(
        await ask(other.connection, `select count(*) ${sessions} and backend_start > '${before}'`),
      );
    }
    await other.close();
    expect(await ask(cut.connection, 'select 1')).toBe(1);
    const pid = await serverPid(known.data);
    await cut.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('is stopped by its last user even if its lease was cut a moment before', async () => {
    const database = await startLocalPostgres(options());
    const pid = await serverPid(known.data);
    const sessions = `from pg_stat_activity where application_name like '% (server lease)'`;
    await ask(database.connection, `select count(pg_terminate_backend(pid)) ${sessions}`);
    await database.close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('that was killed together with its user recovers at the next start', async () => {
    const child = await openInChild({ dataDir: known.dataDir });
    await ask(child.connection, 'create table survived as select 1 as one');
    const pid = (await serverPid(known.data)) ?? 0;
    await child.kill();
    process.kill(pid, 'SIGKILL');
    const next = await startLocalPostgres(options());
    expect(next.adopted).toBe(false);
    expect(await ask(next.connection, 'select one from survived')).toBe(1);
    await next.close();
  });

  it('that lost its socket is restarted', async () => {
    const child = await openInChild(options());
    const pid = await serverPid(known.data);
    await child.kill();
    await rm(child.connection.host, { recursive: true });
    const next = await startLocalPostgres(options());
    expect(next.adopted).toBe(false);
    await expect.poll(() => runs(pid)).toBe(false);
    expect(await ask(next.connection, 'select 1')).toBe(1);
    await next.close();
  });

  it('is restarted if its data directory is moved while it runs without users', async () => {
    const child = await openInChild(options());
    const pid = await serverPid(known.data);
    await child.kill();
    const moved = join(known.path, 'moved');
    await rename(known.dataDir, moved);
    const next = await startLocalPostgres({ dataDir: moved, settings: FAST });
    expect(await ask(next.connection, 'select answer from survivor')).toBe(42);
    await expect.poll(() => runs(pid)).toBe(false);
    await next.close();
    await rename(moved, known.dataDir);
  });
});
