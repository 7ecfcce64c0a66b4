import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { findBinaries } from '../binaries.ts';
import { createWhole, isUnfinished } from '../directories.ts';
import { DEFAULTS, startLocalPostgres } from '../index.ts';
import { resolveLayout } from '../layout.ts';
import { memoryDirectory } from './run-directory.ts';

const run = promisify(execFile);

/** The parameters with which node-postgres connects to the PostgreSQL of the test run. */
export interface TestCluster {
  host: string;
  port: number;
  user: string;
  password?: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
  }
}

/** The contents of a cluster before the first test. */
export interface ClusterImage {
  /** Names what `prepare` makes, in letters, digits and hyphens: another name is another image. */
  name: string;
  /** Creates the databases that tests copy. */
  prepare: (cluster: TestCluster) => Promise<void>;
}

const emptyImage: ClusterImage = { name: 'empty', prepare: async () => undefined };

/** Tests need no durability, so nothing is synced to the disk; and nothing runs that the small databases of a short run need not. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  // Each `drop database` looks through all of it.
  shared_buffers: '32MB',
  // In the data directory, and removed with it; shared memory by name outlives a server that is killed.
  dynamic_shared_memory_type: 'mmap',
};

/** After how long an image that is being made was left by a process that was killed. */
const PARTIAL_MAX_MS = 3_600_000;

/** Keeps the images of clusters between runs. */
const cacheDirectory = join(import.meta.dirname, '../../../../node_modules/.cache/test-postgres');

/** The PostgreSQL of TEST_DATABASE_URL; undefined if there is none. */
function givenCluster(): TestCluster | undefined {
  const given = process.env.TEST_DATABASE_URL;
  if (given === undefined || given === '') return undefined;
  const { hostname, port, username, password } = new URL(given);
  return { host: hostname, port: Number(port || 5432), user: username, password };
}

async function startIn(dataDir: string): Promise<{ cluster: TestCluster; close: () => Promise<void> }> {
  const server = await startLocalPostgres({ dataDir, settings: SETTINGS });
  const { host, port, user } = server.connection;
  return { cluster: { host, port, user }, close: () => server.close() };
}

/** Creates a directory for a cluster, in memory if there is enough of it. If this process is root, PostgreSQL runs as `nobody`, who needs access. */
async function createDataDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join((await memoryDirectory()) ?? tmpdir(), 'test-postgres-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** The cluster of an image in the cache, which this process makes if it is not there: initdb and the migrations take seconds. */
async function findImage({ name, prepare }: ClusterImage): Promise<string> {
  const { version } = await findBinaries();
  const image = join(cacheDirectory, `${name}-${version}`);
  if ((await stat(image).catch(() => undefined)) !== undefined) return image;
  const dataDir = await createDataDirectory();
  try {
    const { cluster, close } = await startIn(dataDir);
    await prepare(cluster).finally(close);
    await mkdir(cacheDirectory, { recursive: true });
    await removeOthers(name, image);
    await createWhole(image, PARTIAL_MAX_MS, async (unfinished) => {
      await run('cp', ['-a', join(dataDir, 'postgres', 'data'), unfinished]);
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return image;
}

/** Removes older images of the same kind. */
async function removeOthers(name: string, image: string): Promise<void> {
  const [kind = ''] = name.split('-');
  for (const other of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, other);
    const isOlder = other.startsWith(`${kind}-`) && path !== image && !isUnfinished(other);
    if (isOlder) await rm(path, { recursive: true, force: true });
  }
}

/** Starts one PostgreSQL from a copy of an image, and provides it to the tests. */
export async function provideCluster(
  project: TestProject,
  image: ClusterImage,
): Promise<() => Promise<void>> {
  const given = givenCluster();
  if (given !== undefined) {
    await image.prepare(given);
    project.provide('cluster', given);
    return async () => undefined;
  }
  const cached = await findImage(image);
  const dataDir = await createDataDirectory();
  const layout = await resolveLayout({ ...DEFAULTS, dataDir, binaries: await findBinaries() });
  await run('cp', ['-a', cached, layout.data]);
  const { cluster, close } = await startIn(dataDir);
  project.provide('cluster', cluster);
  return async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Vitest's global setup: starts one PostgreSQL without databases for the whole run. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideCluster(project, emptyImage);
}
