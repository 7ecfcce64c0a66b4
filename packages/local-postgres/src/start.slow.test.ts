import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from './binaries.ts';
import { DEFAULTS, IncompatibleDataError, inspectLocalPostgres, startLocalPostgres } from './index.ts';
import { resolveLayout } from './layout.ts';
import { startOwnServer } from './own-server.ts';
import { ask, copyCluster, FAST, type Scratch, scratch, serverPid, spawnChild } from './testing/children.ts';
import { isRunning } from './testing/processes.ts';
import { spawnAs } from './users.ts';

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
  await (await startLocalPostgres({ dataDir: known.dataDir, settings: FAST })).close();
});

afterAll(() => known[Symbol.asyncDispose]());

const start = () => startLocalPostgres({ dataDir: known.dataDir, settings: FAST });

describe('a database', () => {
  it('is created on first use, syncs what it acknowledges to disk, and is there at the next start', async () => {
    await using fresh = await scratch();
    const first = await startLocalPostgres({ dataDir: fresh.dataDir });
    expect(first.directory).toBe(fresh.data);
    expect(await ask(first.connection, 'show fsync')).toBe('on');
    expect(await ask(first.connection, 'show synchronous_commit')).toBe('on');
    await ask(first.connection, `create table survivor as select 'Žofia' as name`);
    await first.close();

    const second = await startLocalPostgres({ dataDir: fresh.dataDir });
    expect(await ask(second.connection, 'select upper(name) from survivor')).toBe('ŽOFIA');
    await second.close();
  });

  it('can be inspected before it is created, while it runs and after it stopped, without being changed', async () => {
    const { path } = known;
    const absent = await inspectLocalPostgres({ dataDir: join(path, 'not', 'there') });
    expect(absent).toMatchObject({ dataVersion: undefined, running: undefined });
    expect(absent.directory).toBe(join(path, 'not', 'there', 'postgres', 'data'));
    expect(await readdir(path)).not.toContain('not');
    const { connection, close } = await start();
    const seen = { directory: known.data, dataVersion: '18', version: expect.stringMatching(/^18\./) };
    expect(await inspectLocalPostgres({ dataDir: known.dataDir })).toMatchObject({
      ...seen,
      running: connection,
    });
    await close();
    const resting = await inspectLocalPostgres({ dataDir: known.dataDir });
    expect(resting).toMatchObject({ ...seen, running: undefined });
    expect(resting.freeBytes).toBeGreaterThan(0);
  });

  it('is PostgreSQL 18, in UTF-8, sorted by code point, on no network port', async () => {
    const { connection, close } = await start();
    expect(await ask(connection, `select current_setting('server_version_num')::int / 10000`)).toBe(18);
    expect(await ask(connection, 'show server_encoding')).toBe('UTF8');
    expect(await ask(connection, `select 'Z' < 'a'`)).toBe(true);
    expect(await ask(connection, 'show listen_addresses')).toBe('');
    await close();
  });

  it('is accessible to its owner alone', async () => {
    const { connection, close } = await start();
    for (const path of [connection.host, known.data, join(dirname(known.data), 'lock')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect((await stat(join(dirname(known.data), 'postgres.log'))).mode & 0o777).toBe(0o600);
    await close();
  });

  it('leaves no process when it is closed, which may be done twice', async () => {
    const database = await start();
    const pid = (await serverPid(known.data)) ?? 0;
    expect(await isRunning(pid)).toBe(true);
    await Promise.all([database.close(), database.close()]);
    expect(await isRunning(pid)).toBe(false);
    expect(await serverPid(known.data)).toBeUndefined();
  });

  it('may have commas, quotes and spaces in its path', async () => {
    await using fresh = await scratch();
    const dataDir = join(fresh.path, `it's "1, 2" and 3%`);
    await copyCluster(known.dataDir, dataDir);
    const database = await startLocalPostgres({ dataDir, settings: FAST });
    expect(await ask(database.connection, 'select 1')).toBe(1);
    await database.close();
  });
});

describe('after an earlier server, the next start', () => {
  it('ignores a postmaster.pid whose process id was reused by another process', async () => {
    const { uid, gid } = await stat(known.data);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...spawnAs({ uid, gid }) });
    await once(stranger, 'spawn');
    const socket = join(dirname(known.data), 'socket');
    await mkdir(socket);
    await chown(socket, uid, gid);
    const lines = `${stranger.pid}\n${known.data}\n1700000000\n5432\n${socket}\n\n 0 0\nready   \n`;
    await writeFile(join(known.data, 'postmaster.pid'), lines);
    await writeFile(join(socket, '.s.PGSQL.5432'), '');
    await writeFile(join(socket, '.s.PGSQL.5432.lock'), lines);
    try {
      const database = await start();
      expect(await ask(database.connection, 'select 1')).toBe(1);
      await database.close();
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  it.each([
    ['of a process that has ended', `2147483000\n/gone\n1700000000\n5432\n/gone\n\n 0 0\nready   \n`],
    ['that a power failure left empty', ''],
    ['that a power failure left full of zeros', '\0'.repeat(64)],
  ])('ignores a postmaster.pid %s', async (_, text) => {
    await writeFile(join(known.data, 'postmaster.pid'), text);
    const database = await start();
    expect(await ask(database.connection, 'select 1')).toBe(1);
    await database.close();
  });

  it('removes the partial cluster of an initdb that was killed', async () => {
    await using fresh = await scratch();
    const home = dirname(fresh.data);
    const child = spawnChild({ dataDir: fresh.dataDir, settings: FAST });
    const ended = once(child, 'exit');
    const unfinished = async () => {
      const names = await readdir(home).catch(() => []);
      return names.filter((name) => name.startsWith('data.unfinished-'));
    };
    for (;;) {
      const [draft] = await unfinished();
      if (draft !== undefined && (await readdir(join(home, draft))).includes('PG_VERSION')) break;
      await sleep(5);
    }
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    expect(await unfinished()).toHaveLength(1);

    const database = await startLocalPostgres({ dataDir: fresh.dataDir, settings: FAST });
    expect(await ask(database.connection, 'select 1')).toBe(1);
    expect(await unfinished()).toEqual([]);
    await database.close();
  });

  it('empties a log of more than 10 MB', async () => {
    const log = join(dirname(known.data), 'postgres.log');
    await truncate(log, 11 * 1024 * 1024);
    await (await start()).close();
    expect((await stat(log)).size).toBeLessThan(100_000);
  });
});

describe('the error names the cause', () => {
  it('of data that another major version of PostgreSQL wrote', async () => {
    await using old = await scratch();
    await mkdir(old.data, { recursive: true });
    await writeFile(join(old.data, 'PG_VERSION'), '17\n');
    const started = startLocalPostgres({ dataDir: old.dataDir });
    await expect(started).rejects.toBeInstanceOf(IncompatibleDataError);
    await expect(started).rejects.toThrow(/^The data .* written by PostgreSQL 17.*this is PostgreSQL 18/);
  });

  it('of a directory that contains other files', async () => {
    await using other = await scratch();
    await mkdir(other.data, { recursive: true });
    await writeFile(join(other.data, 'thesis.txt'), 'mine');
    await expect(startLocalPostgres({ dataDir: other.dataDir })).rejects.toThrow(/no PostgreSQL data/);
    expect(await readFile(join(other.data, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('of a data directory that is a file', async () => {
    await using fresh = await scratch();
    await writeFile(fresh.dataDir, '');
    await expect(startLocalPostgres({ dataDir: fresh.dataDir })).rejects.toThrow(
      /data is not a directory: name a different one/,
    );
  });

  it('with the end of the log if PostgreSQL does not start; it starts when the cause is removed', async () => {
    const settings = { ...FAST, shared_preload_libraries: 'missing_library' };
    await expect(startLocalPostgres({ dataDir: known.dataDir, settings })).rejects.toThrow(
      /did not start.*postgres\.log:[\s\S]*could not access file "missing_library"/,
    );
    await (await start()).close();
  });

  it('with the output of initdb if it fails or cannot be run, and leaves no partial cluster', async () => {
    await using fresh = await scratch();
    const binaries = await findBinaries();
    const onProgress = () => undefined;
    const layout = await resolveLayout({
      ...DEFAULTS,
      dataDir: fresh.dataDir,
      fallbackDir: fresh.path,
      binaries,
    });
    const openWith = (initdb: string) =>
      startOwnServer({
        layout: { ...layout, binaries: { ...binaries, initdb } },
        settings: FAST,
        onProgress,
      });
    await expect(openWith('/bin/false')).rejects.toThrow(/false ended with exit code 1/);
    await expect(openWith('/nowhere/initdb')).rejects.toThrow(/cannot be run: .*GNU C library/);
    expect(await readdir(layout.home)).toEqual(['lock']);
  });
});
