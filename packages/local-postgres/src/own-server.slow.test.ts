import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectLocalPostgres, LocalPostgresInUse, startLocalPostgres } from './index.ts';
import { ask, FAST, openInChild, type Scratch, scratch, serverPid } from './testing/children.ts';
import { isRunning } from './testing/processes.ts';

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
});

afterAll(() => known[Symbol.asyncDispose]());

const options = () => ({ dataDir: known.dataDir, settings: FAST });

const runs = async (pid: number | undefined) => pid !== undefined && (await isRunning(pid));

describe('two processes on one directory', () => {
  it('that start at once in an empty directory create one cluster, which one owns', async () => {
    const tries = await Promise.allSettled([openInChild(options()), openInChild(options())]);
    const [owner, ...more] = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(more).toEqual([]);
    const [failure] = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(failure.message).toContain(`in ${dirname(known.data)} are in use by `);
    const { inUse, running } = await inspectLocalPostgres(options());
    expect(running).toEqual(owner?.connection);
    expect(inUse?.message).toContain(`are in use by process ${owner?.process.pid} on `);
    await owner?.close();
    expect(await inspectLocalPostgres(options())).toMatchObject({ inUse: undefined, running: undefined });
  });

  it('hand over: the one that comes is rejected until the other has stopped the server', async () => {
    const leaving = await startLocalPostgres(options());
    // A server that is suspended does not stop before the other one has come.
    const pid = (await serverPid(known.data)) ?? 0;
    process.kill(pid, 'SIGSTOP');
    const closed = leaving.close();
    await expect(startLocalPostgres(options())).rejects.toBeInstanceOf(LocalPostgresInUse);
    process.kill(pid, 'SIGCONT');
    await closed;
    const next = await startLocalPostgres(options());
    expect(await ask(next.connection, 'select 1')).toBe(1);
    await next.close();
  });
});

describe('a server', () => {
  it('outlives the SIGKILL of its owner; the next start replaces it and has everything acknowledged', async () => {
    const child = await openInChild(options());
    await ask(child.connection, 'create table if not exists survivor as select 42 as answer');
    const pid = await serverPid(known.data);
    await child.kill();
    expect(await runs(pid)).toBe(true);

    const next = await startLocalPostgres(options());
    expect(await runs(pid)).toBe(false);
    expect(await ask(next.connection, 'select answer from survivor')).toBe(42);
    await next.close();
  });

  it.each(['exit', 'forget'] as const)(
    'is stopped when its owner ends in any other way without closing it (%s)',
    async (by) => {
      const child = await openInChild(options());
      const pid = await serverPid(known.data);
      await child.leave(by);
      await expect.poll(() => runs(pid)).toBe(false);
    },
  );

  it('outlives the signals that a terminal sends to the process group of its owner', async () => {
    const child = await openInChild(options());
    const pid = await serverPid(known.data);
    process.kill(-(child.process.pid ?? 0), 'SIGINT');
    await child.kill();
    expect(await runs(pid)).toBe(true);
    await (await startLocalPostgres(options())).close();
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('that is killed is started again by its owner', async () => {
    const owner = await startLocalPostgres(options());
    const pid = (await serverPid(known.data)) ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => ask(owner.connection, 'select 1').catch(String), { timeout: 10_000 }).toBe(1);
    const successor = await serverPid(known.data);
    expect(successor).not.toBe(pid);
    await owner.close();
    expect(await runs(successor)).toBe(false);
  });

  it('that is killed while it is closed is not started again', async () => {
    const owner = await startLocalPostgres(options());
    process.kill((await serverPid(known.data)) ?? 0, 'SIGKILL');
    await owner.close();
    expect(await runs(await serverPid(known.data))).toBe(false);
    expect((await inspectLocalPostgres(options())).inUse).toBeUndefined();
  });

  it('that was killed together with its owner recovers at the next start', async () => {
    const child = await openInChild({ dataDir: known.dataDir });
    await ask(child.connection, 'create table survived as select 1 as one');
    const pid = (await serverPid(known.data)) ?? 0;
    await child.kill();
    process.kill(pid, 'SIGKILL');
    const next = await startLocalPostgres(options());
    expect(await ask(next.connection, 'select one from survived')).toBe(1);
    await next.close();
  });

  it('that was killed is not replaced while one of its sessions still runs', async () => {
    const child = await openInChild(options());
    const client = new Client(child.connection);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const session = rows[0]?.pid ?? 0;
    process.kill(session, 'SIGSTOP');
    await child.kill();
    process.kill((await serverPid(known.data)) ?? 0, 'SIGKILL');
    await expect(startLocalPostgres(options())).rejects.toThrow(/shared memory block .* is still in use/);
    process.kill(session, 'SIGCONT');
    await client.end().catch(() => undefined);
    await (await startLocalPostgres(options())).close();
  });

  it('that lost its socket is restarted', async () => {
    const child = await openInChild(options());
    const pid = await serverPid(known.data);
    await child.kill();
    await rm(child.connection.host, { recursive: true });
    const next = await startLocalPostgres(options());
    await expect.poll(() => runs(pid)).toBe(false);
    expect(await ask(next.connection, 'select 1')).toBe(1);
    await next.close();
  });

  it('is restarted if its data directory is moved while it runs without an owner', async () => {
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
