import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process of a test may take to end after the run. */
const END_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

interface Leftover {
  pid: number;
  command: string;
}

/**
 * The processes that tests started and did not end: those whose working directory is in the directory of the run, as
 * that of a PostgreSQL, or whose TMPDIR it is. None are found on systems other than Linux.
 */
async function leftoversOf(directory: string): Promise<Leftover[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => leftoverOf(Number(pid), directory)));
  return found.filter((leftover) => leftover !== undefined);
}

async function leftoverOf(pid: number, directory: string): Promise<Leftover | undefined> {
  // These cannot be read of a process that has ended meanwhile or belongs to another user.
  const [cwd, environment, command] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  ]);
  const isOfRun =
    `${cwd}/`.startsWith(`${directory}/`) || environment.split('\0').includes(`TMPDIR=${directory}`);
  return isOfRun && command !== '' ? { pid, command: command.split('\0').join(' ').trim() } : undefined;
}

async function leftoversAfter(directory: string, timeoutMs: number): Promise<Leftover[]> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    const leftovers = await leftoversOf(directory);
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
  }
}

/**
 * Creates a directory and sets it as TMPDIR. Closing it removes the directory with everything in it, kills the processes
 * that are left, and fails if there were any.
 */
export async function openRunDirectory(timeoutMs = END_TIMEOUT_MS): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  const directory = await mkdtemp(join(tmpdir(), 'test-run-'));
  // If this process is root, PostgreSQL runs as `nobody`, who needs access.
  await chmod(directory, 0o755);
  process.env.TMPDIR = directory;
  return async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    const leftovers = await leftoversAfter(directory, timeoutMs);
    for (const { pid } of leftovers) process.kill(pid, 'SIGKILL');
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: POLL_MS });
    if (leftovers.length === 0) return;
    const lines = leftovers.map(({ pid, command }) => `  ${pid} ${command}`);
    throw new Error(`Tests left processes behind:\n${lines.join('\n')}`);
  };
}

/** Vitest's first global setup and last teardown: all temporary files of the run are in one directory. */
export default function setup(): Promise<() => Promise<void>> {
  return openRunDirectory();
}
