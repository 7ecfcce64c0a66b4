import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locateBinaries } from './binaries.ts';
import { canRun, copyBinaries } from './binaries-copy.ts';
import {
  ask,
  copyCluster,
  FAST,
  fakeInstallation,
  openInChild,
  type Scratch,
  scratch,
  serverPid,
} from './children.fixture.ts';
import { startEmbedded } from './index.ts';
import { inspectEmbedded } from './inspect.ts';
import { choosePlace } from './layout.ts';
import { obstacle } from './permissions.ts';
import { shareServer } from './shared-server.ts';
import { socketDirectory } from './socket.ts';
import { isRoot, unprivilegedUser } from './users.ts';

const onProgress = () => undefined;

/** Another user can only run what they can read: a checkout in a closed home is its owner's alone. */
const isReadByOthers =
  !isRoot() || (await obstacle(import.meta.filename, await unprivilegedUser(), 'read')) === undefined;

let known: Scratch;

beforeAll(async () => {
  known = await scratch();
  await (await startEmbedded({ dataDir: known.dataDir, settings: FAST })).close();
});

afterAll(() => known[Symbol.asyncDispose]());

/** A scratch directory with a database in it. */
async function copied(): Promise<Scratch> {
  const place = await scratch();
  await copyCluster(known.dataDir, place.dataDir);
  return place;
}

describe.runIf(isRoot())('as root', { concurrent: true }, () => {
  it('PostgreSQL runs as the user without rights, in the data directory when that user can pass', async () => {
    await using place = await copied();
    const database = await startEmbedded({ dataDir: place.dataDir, settings: FAST });
    const { uid } = await unprivilegedUser();
    expect(database.directory).toBe(place.data);
    expect((await stat(place.data)).uid).toBe(uid);
    expect((await stat(`/proc/${await serverPid(place.data)}`)).uid).toBe(uid);
    await database.close();
  });

  it('data below a closed directory live under the fallback directory, and stay when it is opened', async () => {
    await using place = await scratch();
    const closed = join(place.path, 'home');
    await mkdir(closed, { mode: 0o700 });
    const fallbackDir = join(place.path, 'lib');
    const options = { dataDir: join(closed, 'data'), fallbackDir, settings: FAST };
    const foreseen = await inspectEmbedded(options.dataDir, fallbackDir);
    const database = await startEmbedded(options);
    expect(dirname(dirname(database.directory))).toBe(fallbackDir);
    expect(foreseen.directory).toBe(database.directory);
    await ask(database.connection, 'create table kept as select 42 as answer');
    await database.close();

    await chmod(closed, 0o755);
    expect((await inspectEmbedded(options.dataDir, fallbackDir)).directory).toBe(database.directory);
    const again = await startEmbedded(options);
    expect(again.directory).toBe(database.directory);
    expect(await ask(again.connection, 'select answer from kept')).toBe(42);
    await again.close();
  });

  it('programs below a closed directory are copied once to the fallback directory, and run there', async () => {
    await using scratched = await scratch();
    const installed = await locateBinaries();
    const closed = join(scratched.path, 'home');
    await mkdir(closed, { mode: 0o700 });
    const directory = join(closed, 'native');
    await cp(installed.directory, directory, { recursive: true, verbatimSymlinks: true });
    const binaries = { ...installed, directory };
    const fallbackDir = join(scratched.path, 'lib');
    const options = { dataDir: scratched.dataDir, fallbackDir, binaries, onProgress };
    const place = await choosePlace(options);
    expect(place.binaries.postgres.startsWith(`${fallbackDir}/postgresql-18`)).toBe(true);

    const share = await shareServer({ place, settings: FAST, onProgress });
    expect(share.adopted).toBe(false);
    await share.close();
  });

  it('copies made by many at once are one, for everybody to run, whatever mask they were installed under', async () => {
    await using place = await scratch();
    const installed = await fakeInstallation(join(place.path, 'native'));
    for (const path of ['share/postgresql/postgres.bki', 'bin/postgres', 'lib']) {
      await chmod(join(installed.directory, path), 0o700);
    }
    const nobody = await unprivilegedUser();
    expect(await canRun(installed, nobody)).toBe(false);
    const directory = join(place.path, 'copies');
    await mkdir(directory);
    const copies = await Promise.all(Array.from({ length: 5 }, () => copyBinaries(installed, directory)));
    expect(await readdir(directory)).toHaveLength(1);
    for (const copy of copies) expect(await canRun(copy, nobody)).toBe(true);
  });

  it.runIf(isReadByOthers)(
    'data that another user began are run as that user, who can go on alone',
    async () => {
      await using place = await copied();
      const user = { uid: 1, gid: 1 };
      await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, place.dataDir]);
      const theirs = await openInChild({ dataDir: place.dataDir, settings: FAST }, user);
      await ask(theirs.connection, 'create table kept as select 42 as answer');
      await theirs.close();

      const ours = await startEmbedded({ dataDir: place.dataDir, settings: FAST });
      expect(await ask(ours.connection, 'select answer from kept')).toBe(42);
      await ours.close();
      const again = await openInChild({ dataDir: place.dataDir, settings: FAST }, user);
      expect(await ask(again.connection, 'select answer from kept')).toBe(42);
      await again.close();
    },
  );

  it('a fallback directory that others may write to is refused', async () => {
    await using place = await scratch();
    const dataDir = join(place.path, 'home', 'data');
    const fallbackDir = join(place.path, 'lib');
    await mkdir(dirname(dataDir), { mode: 0o700 });
    await mkdir(fallbackDir);
    await chmod(fallbackDir, 0o777);
    await expect(startEmbedded({ dataDir, fallbackDir })).rejects.toThrow(/belong to root.*nobody else/);
  });

  it.runIf(isReadByOthers)(
    'a directory of root is refused to a user, with a message that says whose it is',
    async () => {
      await using place = await scratch();
      await mkdir(join(place.dataDir, 'postgres'), { recursive: true });
      const started = openInChild({ dataDir: place.dataDir }, await unprivilegedUser());
      await expect(started).rejects.toThrow(/belongs to user id 0[\s\S]*DATABASE_URL/);
    },
  );
});

describe('not as root', () => {
  it.runIf(isReadByOthers)('the plain directory is used, all of it our own', async () => {
    await using place = await scratch();
    const user = isRoot() ? await unprivilegedUser() : undefined;
    await mkdir(place.dataDir);
    if (user !== undefined) await chown(place.dataDir, user.uid, user.gid);
    const child = await openInChild({ dataDir: place.dataDir, settings: FAST }, user);
    expect(child.directory).toBe(place.data);
    const { uid, mode } = await stat(dirname(place.data));
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: user?.uid ?? process.getuid?.(), mode: 0o700 });
    expect(await ask(child.connection, 'select 1')).toBe(1);
    await child.close();
  });
});

describe('in a directory too deep for a socket', { concurrent: true }, () => {
  it('the socket is in a short private directory elsewhere, the same for all, gone after the last', async () => {
    await using place = await scratch();
    const dataDir = join(place.path, 'x'.repeat(60), 'y'.repeat(60));
    await copyCluster(known.dataDir, dataDir);
    const one = await startEmbedded({ dataDir, settings: FAST });
    const other = await openInChild({ dataDir, settings: FAST });
    expect(one.connection.host.startsWith(tmpdir())).toBe(true);
    expect((await stat(one.connection.host)).mode & 0o777).toBe(0o700);
    expect(other).toMatchObject({ adopted: true, connection: one.connection });
    await one.close();
    expect(await ask(other.connection, 'select 1')).toBe(1);
    await other.close();
    await expect(stat(other.connection.host)).rejects.toThrow('ENOENT');
  });

  it.runIf(isRoot())('a short directory that somebody else made is not used', async () => {
    await using place = await scratch();
    const binaries = await locateBinaries();
    const dataDir = join(place.path, 'z'.repeat(120));
    const chosen = await choosePlace({ dataDir, fallbackDir: place.path, binaries, onProgress });
    const squatted = await socketDirectory(chosen.home, chosen.owner);
    await mkdir(squatted);
    await chown(squatted, 12345, 12345);
    try {
      await expect(startEmbedded({ dataDir, settings: FAST })).rejects.toThrow(/belongs to user id 12345/);
    } finally {
      await rm(squatted, { recursive: true });
    }
  });
});
