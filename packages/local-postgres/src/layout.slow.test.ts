import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyBinaries, findBinaries } from './binaries.ts';
import { DEFAULTS, inspectLocalPostgres, startLocalPostgres } from './index.ts';
import { resolveLayout, socketDirectoryOf } from './layout.ts';
import { startOwnServer } from './own-server.ts';
import {
  ask,
  copyCluster,
  FAST,
  fakeInstallation,
  openInChild,
  type Scratch,
  scratch,
  serverPid,
} from './testing/children.ts';
import { isRoot, mayEnter, unprivilegedUser } from './users.ts';

const onProgress = () => undefined;

/** Another user can only run programs they can read, which they cannot in a checkout below a private home. */
const isReadByOthers = !isRoot() || (await mayEnter(await unprivilegedUser(), import.meta.dirname));

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
    const installed = await findBinaries();
    const closed = join(scratched.path, 'home');
    await mkdir(closed, { mode: 0o700 });
    const directory = join(closed, 'native');
    await cp(installed.directory, directory, { recursive: true, verbatimSymlinks: true });
    const binaries = { ...installed, directory };
    const fallbackDir = join(scratched.path, 'lib');
    const options = { name: 'test', dataDir: scratched.dataDir, fallbackDir, binaries, onProgress };
    const layout = await resolveLayout(options);
    expect(layout.binaries.postgres.startsWith(`${fallbackDir}/postgresql-18`)).toBe(true);

    const close = await startOwnServer({ layout, settings: FAST, onProgress });
    await close();
  });

  it('concurrent copies result in one, which every user can run, whatever umask they were installed with', async () => {
    await using directory = await scratch();
    const installed = await fakeInstallation(join(directory.path, 'native'));
    for (const path of ['bin/postgres', 'lib']) await chmod(join(installed.directory, path), 0o700);
    const nobody = await unprivilegedUser();
    expect(await mayEnter(nobody, installed.postgres)).toBe(false);
    const target = join(directory.path, 'copies');
    await mkdir(target);
    const copies = await Promise.all(Array.from({ length: 5 }, () => copyBinaries(installed, target)));
    expect(await readdir(target)).toHaveLength(1);
    for (const { directory: copy, postgres } of copies) {
      expect(await mayEnter(nobody, postgres, join(copy, 'lib'))).toBe(true);
      expect((await stat(postgres)).uid).toBe(0);
    }
  });

  it('data of another user are not touched, and the error names whose they are', async () => {
    await using directory = await copyOfKnown();
    await promisify(execFile)('chown', ['-R', '1:1', directory.dataDir]);
    const started = startLocalPostgres({ dataDir: directory.dataDir, settings: FAST });
    await expect(started).rejects.toThrow(/belongs to user id 1, not to user id 0: .*run as its owner/);
    expect((await stat(directory.data)).uid).toBe(1);
  });

  it('a file in place of the data directory is named, and damaged data are to be kept', async () => {
    await using directory = await copyOfKnown();
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    await expect(startLocalPostgres({ dataDir: file, settings: FAST })).rejects.toThrow(
      /file is not a directory/,
    );
    await truncate(join(directory.data, 'global', 'pg_control'), 0);
    const started = startLocalPostgres({ dataDir: directory.dataDir, settings: FAST });
    await expect(started).rejects.toThrow(/Keep these files, and run no initdb on them\. .*restore a backup/);
  });

  it('data in the data directory are not given up for others if `nobody` loses access', async () => {
    await using directory = await copyOfKnown();
    const options = { dataDir: directory.dataDir, fallbackDir: join(directory.path, 'lib') };
    await chmod(directory.dataDir, 0o700);
    expect((await inspectLocalPostgres(options)).directory).toBe(directory.data);
    await expect(startLocalPostgres(options)).rejects.toThrow(/has no access to .*give it access, or move/);
  });

  it('a fallback directory of another user is rejected', async () => {
    await using directory = await scratch();
    const dataDir = join(directory.path, 'home', 'data');
    const fallbackDir = join(directory.path, 'lib');
    await mkdir(dirname(dataDir), { mode: 0o700 });
    await mkdir(fallbackDir);
    await chown(fallbackDir, 1, 1);
    await expect(startLocalPostgres({ dataDir, fallbackDir })).rejects.toThrow(/belongs to user id 1,/);
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
    expect(one.connection.host).toMatch(/^\/tmp\/postgres-/);
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
    const binaries = await findBinaries();
    const dataDir = join(directory.path, 'z'.repeat(120));
    const chosen = await resolveLayout({ ...DEFAULTS, dataDir, fallbackDir: directory.path, binaries });
    const squatted = socketDirectoryOf(chosen);
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
