import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locateBinaries } from '../src/binaries/binaries.ts';
import { canExecute, copyBinaries } from '../src/binaries/binaries-copy.ts';
import {
  ask,
  copyCluster,
  FAST,
  fakeInstallation,
  openInChild,
  type Scratch,
  scratch,
  serverPid,
} from '../src/children.fixture.ts';
import { startLocalPostgres } from '../src/index.ts';
import { inspectLocalPostgres } from '../src/inspect.ts';
import { resolveLayout } from '../src/layout.ts';
import { DEFAULTS } from '../src/options.ts';
import { findDenied } from '../src/permissions.ts';
import { startOwnServer } from '../src/server/own-server.ts';
import { chooseSocketDirectory } from '../src/server/socket.ts';
import { isRoot, unprivilegedUser } from '../src/users.ts';

const onProgress = () => undefined;

/** Another user can only run programs they can read, which they cannot in a checkout below a private home. */
const isReadByOthers =
  !isRoot() || (await findDenied(import.meta.filename, await unprivilegedUser(), 'read')) === undefined;

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
  await (await startLocalPostgres({ dataDir: known.dataDir, settings: FAST })).close();
});

afterAll(() => known[Symbol.asyncDispose]());

/** A scratch directory with a copy of the known database. */
async function copyOfKnown(): Promise<Scratch> {
  const directory = await scratch();
  await copyCluster(known.dataDir, directory.dataDir);
  return directory;
}

describe.runIf(isRoot())('as root', { concurrent: true }, () => {
  it('PostgreSQL runs as `nobody`, in the data directory if that user has access', async () => {
    await using directory = await copyOfKnown();
    const database = await startLocalPostgres({ dataDir: directory.dataDir, settings: FAST });
    const { uid } = await unprivilegedUser();
    expect(database.directory).toBe(directory.data);
    expect((await stat(directory.data)).uid).toBe(uid);
    expect((await stat(`/proc/${await serverPid(directory.data)}`)).uid).toBe(uid);
    await database.close();
  });

  it('data below a private directory are in the fallback directory, and stay there when access is given', async () => {
    await using directory = await scratch();
    const closed = join(directory.path, 'home');
    await mkdir(closed, { mode: 0o700 });
    const fallbackDir = join(directory.path, 'lib');
    const options = { dataDir: join(closed, 'data'), fallbackDir, settings: FAST };
    const predicted = await inspectLocalPostgres({ dataDir: options.dataDir, fallbackDir });
    const database = await startLocalPostgres(options);
    expect(dirname(dirname(database.directory))).toBe(fallbackDir);
    expect(predicted.directory).toBe(database.directory);
    await ask(database.connection, 'create table survivor as select 42 as answer');
    await database.close();

    await chmod(closed, 0o755);
    expect((await inspectLocalPostgres({ dataDir: options.dataDir, fallbackDir })).directory).toBe(
      database.directory,
    );
    const again = await startLocalPostgres(options);
    expect(again.directory).toBe(database.directory);
    expect(await ask(again.connection, 'select answer from survivor')).toBe(42);
    await again.close();
  });

  it('programs below a private directory are copied once to the fallback directory, and run there', async () => {
    await using scratched = await scratch();
    const installed = await locateBinaries();
    const closed = join(scratched.path, 'home');
    await mkdir(closed, { mode: 0o700 });
    const directory = join(closed, 'native');
    await cp(installed.directory, directory, { recursive: true, verbatimSymlinks: true });
    const binaries = { ...installed, directory };
    const fallbackDir = join(scratched.path, 'lib');
    const options = { name: 'test', dataDir: scratched.dataDir, fallbackDir, binaries, onProgress };
    const layout = await resolveLayout(options);
    expect(layout.binaries.postgres.startsWith(`${fallbackDir}/postgresql-18`)).toBe(true);

    const { close } = await startOwnServer({ layout, settings: FAST, onProgress });
    await close();
  });

  it('concurrent copies result in one, which every user can run, whatever umask they were installed with', async () => {
    await using directory = await scratch();
    const installed = await fakeInstallation(join(directory.path, 'native'));
    for (const path of ['share/postgresql/postgres.bki', 'bin/postgres', 'lib']) {
      await chmod(join(installed.directory, path), 0o700);
    }
    const nobody = await unprivilegedUser();
    expect(await canExecute(installed, nobody)).toBe(false);
    const target = join(directory.path, 'copies');
    await mkdir(target);
    const copies = await Promise.all(Array.from({ length: 5 }, () => copyBinaries(installed, target)));
    expect(await readdir(target)).toHaveLength(1);
    for (const copy of copies) expect(await canExecute(copy, nobody)).toBe(true);
  });

  it.runIf(isReadByOthers)(
    'data that another user created are run as that user, who can use them again alone',
    async () => {
      await using directory = await copyOfKnown();
      const user = { uid: 1, gid: 1 };
      await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, directory.dataDir]);
      const theirs = await openInChild({ dataDir: directory.dataDir, settings: FAST }, user);
      await ask(theirs.connection, 'create table survivor as select 42 as answer');
      await theirs.close();

      const ours = await startLocalPostgres({ dataDir: directory.dataDir, settings: FAST });
      expect(await ask(ours.connection, 'select answer from survivor')).toBe(42);
      await ours.close();
      const again = await openInChild({ dataDir: directory.dataDir, settings: FAST }, user);
      expect(await ask(again.connection, 'select answer from survivor')).toBe(42);
      await again.close();
    },
  );

  it('the inspection names the directory that is used, also if a user has begun one and the fallback has data', async () => {
    await using directory = await scratch();
    const options = { ...DEFAULTS, dataDir: directory.dataDir, fallbackDir: join(directory.path, 'lib') };
    const closed = { ...options, binaries: await fakeInstallation(join(directory.path, 'native')) };
    await mkdir(directory.dataDir, { mode: 0o700 });
    await mkdir((await resolveLayout(closed)).data);
    const begun = dirname(directory.data);
    await mkdir(begun);
    await chown(begun, 1, 1);
    await chmod(directory.dataDir, 0o755);
    expect((await resolveLayout(closed)).data).toBe(directory.data);
    expect((await inspectLocalPostgres(options)).directory).toBe(directory.data);
  });

  it('a fallback directory that others can write to is rejected', async () => {
    await using directory = await scratch();
    const dataDir = join(directory.path, 'home', 'data');
    const fallbackDir = join(directory.path, 'lib');
    await mkdir(dirname(dataDir), { mode: 0o700 });
    await mkdir(fallbackDir);
    await chmod(fallbackDir, 0o777);
    await expect(startLocalPostgres({ dataDir, fallbackDir })).rejects.toThrow(/belong to root.*root alone/);
  });

  it.runIf(isReadByOthers)(
    'a directory of root cannot be used by another user, and the error names its owner',
    async () => {
      await using directory = await scratch();
      await mkdir(join(directory.dataDir, 'postgres'), { recursive: true });
      const started = openInChild({ dataDir: directory.dataDir }, await unprivilegedUser());
      await expect(started).rejects.toThrow(/belongs to user id 0/);
    },
  );
});

describe('not as root', () => {
  it.runIf(isReadByOthers)(
    'the data directory is used, and everything in it belongs to the user',
    async () => {
      await using directory = await scratch();
      const user = isRoot() ? await unprivilegedUser() : undefined;
      await mkdir(directory.dataDir);
      if (user !== undefined) await chown(directory.dataDir, user.uid, user.gid);
      const child = await openInChild({ dataDir: directory.dataDir, settings: FAST }, user);
      expect(child.directory).toBe(directory.data);
      const { uid, mode } = await stat(dirname(directory.data));
      expect({ uid, mode: mode & 0o777 }).toEqual({ uid: user?.uid ?? process.getuid?.(), mode: 0o700 });
      expect(await ask(child.connection, 'select 1')).toBe(1);
      await child.close();
    },
  );
});

describe('in a directory whose path is too long for a socket', { concurrent: true }, () => {
  it('the socket is in a private temporary directory, always the same, which is removed at the end', async () => {
    await using directory = await scratch();
    const dataDir = join(directory.path, 'x'.repeat(60), 'y'.repeat(60));
    await copyCluster(known.dataDir, dataDir);
    const one = await startLocalPostgres({ dataDir, settings: FAST });
    expect(one.connection.host.startsWith(tmpdir())).toBe(true);
    expect((await stat(one.connection.host)).mode & 0o777).toBe(0o700);
    expect((await inspectLocalPostgres({ dataDir })).running).toEqual(one.connection);
    await one.close();
    await expect(stat(one.connection.host)).rejects.toThrow('ENOENT');
    const next = await openInChild({ dataDir, settings: FAST });
    expect(next.connection).toEqual(one.connection);
    await next.close();
  });

  it.runIf(isRoot())('a temporary directory that another user created is not used', async () => {
    await using directory = await scratch();
    const binaries = await locateBinaries();
    const dataDir = join(directory.path, 'z'.repeat(120));
    const chosen = await resolveLayout({ ...DEFAULTS, dataDir, fallbackDir: directory.path, binaries });
    const squatted = await chooseSocketDirectory(chosen);
    await mkdir(squatted);
    await chown(squatted, 12345, 12345);
    try {
      await expect(startLocalPostgres({ dataDir, settings: FAST })).rejects.toThrow(
        /belongs to user id 12345/,
      );
    } finally {
      await rm(squatted, { recursive: true });
    }
  });
});
