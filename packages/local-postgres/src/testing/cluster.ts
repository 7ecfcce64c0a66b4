import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { startLocalPostgres } from '../index.ts';

/** How node-postgres connects to the PostgreSQL of the test run. */
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

/** The PostgreSQL of TEST_DATABASE_URL, or a local one in a temporary directory. */
async function startCluster(): Promise<{ cluster: TestCluster; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    const { hostname, port, username, password } = new URL(given);
    const cluster = { host: hostname, port: Number(port || 5432), user: username, password };
    return { cluster, stop: async () => undefined };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  // If this process is root, PostgreSQL runs as `nobody`, who needs access.
  await chmod(dataDir, 0o755);
  // Tests need no durability, so nothing is synced to the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const server = await startLocalPostgres({ dataDir, settings });
  const { host, port, user } = server.connection;
  const stop = async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { cluster: { host, port, user }, stop };
}

/** Vitest's global setup: starts one PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { cluster, stop } = await startCluster();
  project.provide('cluster', cluster);
  return stop;
}
