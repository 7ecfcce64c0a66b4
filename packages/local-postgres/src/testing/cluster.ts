import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../index.ts';

/** Where the tests' PostgreSQL is, as node-postgres takes it. */
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

/** One PostgreSQL for the whole run: ROSTER_TEST_DATABASE_URL, or an embedded one in a temporary directory. */
async function startCluster(): Promise<{ cluster: TestCluster; stop: () => Promise<void> }> {
  const given = process.env.ROSTER_TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    const { hostname, port, username, password } = new URL(given);
    const cluster = { host: hostname, port: Number(port || 5432), user: username, password };
    return { cluster, stop: async () => undefined };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-test-'));
  // Root's PostgreSQL runs as nobody, who has to get in.
  await chmod(dataDir, 0o755);
  // What is lost in a power cut is lost with the test; waiting for the disk would test the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const embedded = await startEmbedded({ dataDir, settings });
  const { host, port, user } = embedded.connection;
  const stop = async () => {
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { cluster: { host, port, user }, stop };
}

/** Vitest's global set-up: one PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { cluster, stop } = await startCluster();
  project.provide('cluster', cluster);
  return stop;
}
