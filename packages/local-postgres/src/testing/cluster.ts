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

export interface ClusterImage {
  name: string;
  prepare: (cluster: TestCluster) => Promise<void>;
}

const emptyImage: ClusterImage = { name: 'empty', prepare: async () => undefined };

/** No durability, and nothing that small, short-lived databases don't need. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  // Each `drop database` scans all of it.
  shared_buffers: '32MB',
  // Removed with the data directory; named shared memory outlives a killed server.
  dynamic_shared_memory_type: 'mmap',
};

/** An older unfinished image was left by a killed process. */
const PARTIAL_MAX_MS = 3_600_000;

const cacheDirectory = join(import.meta.dirname, '../../../../node_modules/.cache/test-postgres');

/** From TEST_DATABASE_URL; undefined without. */
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

/** In memory if there is enough. As root, PostgreSQL runs as `nobody`, who needs access. */
async function createDataDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join((await memoryDirectory()) ?? tmpdir(), 'test-postgres-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** Cached, because initdb and the migrations take seconds. */
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

async function removeOthers(name: string, image: string): Promise<void> {
  const [kind = ''] = name.split('-');
  for (const other of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, other);
    const isOlder = other.startsWith(`${kind}-`) && path !== image && !isUnfinished(other);
    if (isOlder) await rm(path, { recursive: true, force: true });
  }
}

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

/** Vitest's global setup: one PostgreSQL without databases for the whole run. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideCluster(project, emptyImage);
}
