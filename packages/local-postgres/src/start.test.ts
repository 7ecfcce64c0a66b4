import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locateBinaries } from './binaries.ts';
import { ask, copyCluster, FAST, type Scratch, scratch, serverPid, spawnChild } from './children.fixture.ts';
import { EmbeddedUnavailable, startEmbedded } from './index.ts';
import { inspectEmbedded } from './inspect.ts';
import { choosePlace } from './layout.ts';
import { startOf } from './process-info.ts';
import { shareServer } from './shared-server.ts';
import { spawnAs } from './users.ts';

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
  await (await startEmbedded({ dataDir: known.dataDir, settings: FAST })).close();
});

afterAll(() => known[Symbol.asyncDispose]());

const start = () => startEmbedded({ dataDir: known.dataDir, settings: FAST });

describe('a database', () => {
  it('is made on first use, is on disk when acknowledged, and is there at the next start', async () => {
    await using fresh = await scratch();
    const first = await startEmbedded({ dataDir: fresh.dataDir });
    expect(first).toMatchObject({ adopted: false, directory: fresh.data });
    expect(await ask(first.connection, 'show fsync')).toBe('on');
    expect(await ask(first.connection, 'show synchronous_commit')).toBe('on');
    await ask(first.connection, `create table kept as select 'Žofia' as name`);
    await first.close();

    const second = await startEmbedded({ dataDir: fresh.dataDir });
    expect(second.adopted).toBe(false);
    expect(await ask(second.connection, 'select upper(name) from kept')).toBe('ŽOFIA');
    await second.close();
  });

  it('is ready in well under a second when it was there already', async () => {
    const before = performance.now();
    const database = await start();
    expect(performance.now() - before).toBeLessThan(1000);
    await database.close();
  });

  it('can be looked at before it is made, while it runs and when it rests, and is not touched by that', async () => {
    const { path } = known;
    const absent = await inspectEmbedded(join(path, 'not', 'there'));
    expect(absent).toMatchObject({ dataVersion: undefined, running: undefined, unavailable: undefined });
    expect(absent.directory).toBe(join(path, 'not', 'there', 'postgres', 'data'));
    expect(await readdir(path)).not.toContain('not');
    const { connection, close } = await start();
    const seen = { directory: known.data, dataVersion: '18', version: expect.stringMatching(/^18\./) };
    expect(await inspectEmbedded(known.dataDir)).toMatchObject({ ...seen, running: connection });
    await close();
    const resting = await inspectEmbedded(known.dataDir);
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

  it('is open to its owner alone', async () => {
    const { connection, close } = await start();
    const socket = await stat(join(connection.host, `.s.PGSQL.${connection.port}`));
    expect(socket.mode & 0o777).toBe(0o700);
    for (const path of [connection.host, known.data, join(dirname(known.data), 'lock')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect((await stat(join(dirname(known.data), 'postgres.log'))).mode & 0o777).toBe(0o600);
    await close();
  });

  it('leaves no process behind when its only user closes it, which may be done twice', async () => {
    const database = await start();
    const pid = (await serverPid(known.data)) ?? 0;
    expect(await startOf(pid)).toBeDefined();
    await Promise.all([database.close(), database.close()]);
    expect(await startOf(pid)).toBeUndefined();
    expect(await serverPid(known.data)).toBeUndefined();
  });

  it('can have commas, quotes and spaces in its path', async () => {
    await using fresh = await scratch();
    const dataDir = join(fresh.path, `it's "1, 2" and 3%`);
    await copyCluster(known.dataDir, dataDir);
    const database = await startEmbedded({ dataDir, settings: FAST });
    expect(await ask(database.connection, 'select 1')).toBe(1);
    await database.close();
  });
});

describe('what an earlier server left', () => {
  it('does no harm: a postmaster.pid whose number has been given to another process since', async () => {
    const { uid, gid } = await stat(known.data);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...spawnAs({ uid, gid }) });
    await once(stranger, 'spawn');
    const socket = join(dirname(known.data), 'socket');
    const lines = `${stranger.pid}\n${known.data}\n1700000000\n5432\n${socket}\n\n 0 0\nready   \n`;
    await writeFile(join(known.data, 'postmaster.pid'), lines);
    await writeFile(join(socket, '.s.PGSQL.5432'), '');
    await writeFile(join(socket, '.s.PGSQL.5432.lock'), lines);
    try {
      const database = await start();
      expect(database.adopted).toBe(false);
      expect(await ask(database.connection, 'select 1')).toBe(1);
      await database.close();
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  it.each([
    ['of a process that is gone', `2147483000\n/gone\n1700000000\n5432\n/gone\n\n 0 0\nready   \n`],
    ['that loss of power left empty', ''],
    ['that loss of power left full of zeros', '\0'.repeat(64)],
  ])('does no harm: a postmaster.pid %s', async (_, text) => {
    await writeFile(join(known.data, 'postmaster.pid'), text);
    const database = await start();
    expect(database.adopted).toBe(false);
    await database.close();
  });

  it('does no harm: a cluster whose making was killed halfway', async () => {
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

    const database = await startEmbedded({ dataDir: fresh.dataDir, settings: FAST });
    expect(await ask(database.connection, 'select 1')).toBe(1);
    expect(await unfinished()).toEqual([]);
    await database.close();
  });

  it('does not pile up: a log beyond 10 MB is emptied', async () => {
    const log = join(dirname(known.data), 'postgres.log');
    await truncate(log, 11 * 1024 * 1024);
    await (await start()).close();
    expect((await stat(log)).size).toBeLessThan(100_000);
  });
});

describe('the error says why, and names DATABASE_URL', () => {
  it('for data that another major version of PostgreSQL wrote', async () => {
    await using old = await scratch();
    await mkdir(old.data, { recursive: true });
    await writeFile(join(old.data, 'PG_VERSION'), '17\n');
    const refused = startEmbedded({ dataDir: old.dataDir });
    await expect(refused).rejects.toBeInstanceOf(EmbeddedUnavailable);
    await expect(refused).rejects.toThrow(
      /written by PostgreSQL 17.*this is PostgreSQL 18.*\n.*DATABASE_URL/,
    );
  });

  it('for a directory that holds something else', async () => {
    await using other = await scratch();
    await mkdir(other.data, { recursive: true });
    await writeFile(join(other.data, 'thesis.txt'), 'mine');
    await expect(startEmbedded({ dataDir: other.dataDir })).rejects.toThrow(/no PostgreSQL data/);
    expect(await readFile(join(other.data, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('for a data directory that is a file', async () => {
    await using fresh = await scratch();
    await writeFile(fresh.dataDir, '');
    await expect(startEmbedded({ dataDir: fresh.dataDir })).rejects.toThrow(/data.*(EEXIST|ENOTDIR)/);
  });

  it('with the end of the log, when PostgreSQL does not start, which then starts once that is mended', async () => {
    const settings = { ...FAST, shared_preload_libraries: 'missing_library' };
    await expect(startEmbedded({ dataDir: known.dataDir, settings })).rejects.toThrow(
      /did not start.*postgres\.log:[\s\S]*could not access file "missing_library"[\s\S]*DATABASE_URL/,
    );
    await (await start()).close();
  });

  it('with what initdb said, when it fails or cannot be run, and leaves nothing half made', async () => {
    await using fresh = await scratch();
    const binaries = await locateBinaries();
    const onProgress = () => undefined;
    const place = await choosePlace({
      dataDir: fresh.dataDir,
      fallbackDir: fresh.path,
      binaries,
      onProgress,
    });
    const shareWith = (initdb: string) =>
      shareServer({ place: { ...place, binaries: { ...binaries, initdb } }, settings: FAST, onProgress });
    await expect(shareWith('/bin/false')).rejects.toThrow(/initdb: exit code 1.*postgres\.log/);
    await expect(shareWith('/nowhere/initdb')).rejects.toThrow(/cannot be run: .*GNU C library/);
    expect((await readdir(place.home)).toSorted()).toEqual(['lock', 'postgres.log', 'socket']);
  });
});
