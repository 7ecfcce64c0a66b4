import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalPostgres } from '@roster/local-postgres';
import { outcomeOf } from './namespace.ts';
import type { Claim } from './run.ts';

const ADMIN_KEY = 'the-admin-key-of-the-page-of-operations';
const READY_WITHIN_MS = 30_000;
const COMMAND_MS = 120_000;

/**
 * The blocks of some pages that are run, by the words after the back-ticks: `sh build`, `sh check`, `sh server` for the
 * command lines of servers, `sh deployment` for what is run while they serve.
 */
export async function blocksOf(paths: readonly string[], info: string): Promise<string[]> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return Array.from(texts.join('\n').matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm))
    .filter(([, language]) => language === info)
    .map(([, , text = '']) => text);
}

interface Shell {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** One command of the page; a command that does not end is ended. */
const shell = (script: string, { cwd, env }: Shell): ChildProcess =>
  spawn('timeout', [`${COMMAND_MS / 1_000}`, 'bash', '-eu', '-o', 'pipefail', '-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs the pages of a deployment as far as no container engine is needed: builds, checks, starts two servers, calls them. */
export async function tryPages(paths: readonly string[], root: string, claim: Claim): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-page-'));
  await chmod(dataDir, 0o755);
  const { connection, close } = await startLocalPostgres({ dataDir });
  const { host, port, user, database } = connection;
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const environment = { cwd: root, env: { ...process.env, DATABASE_URL: url, ROSTER_ADMIN_KEY: ADMIN_KEY } };
  const servers: ChildProcess[] = [];
  try {
    for (const info of ['sh build', 'sh check']) await runAll(paths, info, environment, claim);
    for (const script of await blocksOf(paths, 'sh server')) {
      servers.push(spawn('bash', ['-c', `exec env ${script.trim()}`], environment));
    }
    claim('the pages start two servers', servers.length === 2 && (await areReady()));
    await runAll(paths, 'sh deployment', environment, claim);
    const ends = servers.map(outcomeOf);
    for (const server of servers) server.kill('SIGTERM');
    const outcomes = await Promise.all(ends);
    claim(
      'they end with 0',
      outcomes.every(({ status }) => status === 0),
    );
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runAll(
  paths: readonly string[],
  info: string,
  environment: Shell,
  claim: Claim,
): Promise<void> {
  for (const script of await blocksOf(paths, info)) {
    const { status, output } = await outcomeOf(shell(script, environment));
    const [first = ''] = script.split('\n');
    claim(`the page's \`${first}\` works`, status === 0, status === 0 ? '' : output);
  }
}

/** Both servers of the pages, at the ports they give them. */
async function areReady(): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const answers = [3001, 3002].map((port) =>
      fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined),
    );
    if ((await Promise.all(answers)).every((answer) => answer?.ok === true)) return true;
    await pause(100);
  }
  return false;
}
