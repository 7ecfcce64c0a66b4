import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from './processes.ts';

/** The first letters of the name of a run's directory. */
const PREFIX = 'test-run-';
/** The longest time in which a process of a test may end after the run. */
const END_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

/** The directory whose files Linux keeps in memory. */
const MEMORY = '/dev/shm';
/** The memory that must be free to keep the databases of a run there, in bytes. */
const MEMORY_MIN = 4 * 1024 ** 3;

/** The directory in memory that is removed with that of a run. */
function memoryDirectoryOf(directory: string): string {
  return join(MEMORY, basename(directory));
}

/** A directory in memory for the databases of this run; undefined if there is not enough memory, or no run. */
export async function memoryDirectory(): Promise<string | undefined> {
  if (!basename(tmpdir()).startsWith(PREFIX)) return undefined;
  const free = await statfs(MEMORY).catch(() => undefined);
  if (free === undefined || free.bavail * free.bsize < MEMORY_MIN) return undefined;
  const directory = memoryDirectoryOf(tmpdir());
  await mkdir(directory, { recursive: true, mode: 0o755 });
  return directory;
}

interface Leftover {
  pid: number;
  command: string;
}

/**
 * The processes that tests started and did not end: those whose working directory is in the directory of the run, as
 * that of a PostgreSQL, or whose TMPDIR it is. None are found on systems other than Linux.
 */
async function findLeftovers(directory: string): Promise<Leftover[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => findLeftover(Number(pid), directory)));
  return found.filter((leftover) => leftover !== undefined);
}

async function findLeftover(pid: number, directory: string): Promise<Leftover | undefined> {
  // These cannot be read of a process that has ended meanwhile or belongs to another user.
  const [cwd, environment, command] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  ]);
  const isOfRun =
    [directory, memoryDirectoryOf(directory)].some((path) => `${cwd}/`.startsWith(`${path}/`)) ||
    environment.split('\0').includes(`TMPDIR=${directory}`);
  return isOfRun && command !== '' ? { pid, command: command.split('\0').join(' ').trim() } : undefined;
}

async function awaitLeftovers(directory: string, timeoutMs: number): Promise<Leftover[]> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    const leftovers = await findLeftovers(directory);
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
  }
}

/**
 * Kills the processes that tests left and removes the directory of their run. What is found is killed until nothing is, because
 * a process may start another while it is being killed.
 */
export async function cleanRunDirectory(directory: string): Promise<void> {
  for (;;) {
    const leftovers = await findLeftovers(directory);
    for (const { pid } of leftovers) signalProcess(pid, 'SIGKILL');
    if (leftovers.length === 0) break;
    await sleep(POLL_MS);
  }
  for (const path of [memoryDirectoryOf(directory), directory])
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: POLL_MS });
}

/**
 * Starts a process that waits until this one has ended in whatever way, SIGKILL too, and then cleans the directory. It is in a session
 * of its own, so that neither Ctrl-C nor the end of a terminal reaches it, and has no TMPDIR, so that it is not a process of the run.
 */
function startCleaner(directory: string): ChildProcess {
  const script = join(import.meta.dirname, 'clean-after-run.ts');
  const { TMPDIR: _, NODE_OPTIONS: __, NODE_V8_COVERAGE: ___, ...env } = process.env;
  const cleaner = spawn(process.execPath, [script, directory], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  cleaner.on('error', () => undefined).unref();
  (cleaner.stdin as Socket).on('error', () => undefined).unref();
  return cleaner;
}

/**
 * Creates a directory and sets it as TMPDIR. Closing it removes the directory with everything in it, kills the processes
 * that are left, and fails if there were any. If this process ends before, another one does the same.
 */
export async function openRunDirectory(timeoutMs = END_TIMEOUT_MS): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  // Beside the directory of the run that this one is a part of: the paths of sockets are short.
  const isInRun = basename(tmpdir()).startsWith(PREFIX);
  const directory = await mkdtemp(join(isInRun ? dirname(tmpdir()) : tmpdir(), PREFIX));
  // If this process is root, PostgreSQL runs as `nobody`, who needs access.
  await chmod(directory, 0o755);
  const cleaner = startCleaner(directory);
  process.env.TMPDIR = directory;
  return async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    const leftovers = await awaitLeftovers(directory, timeoutMs);
    await cleanRunDirectory(directory);
    cleaner.stdin?.end();
    if (leftovers.length === 0) return;
    const lines = leftovers.map(({ pid, command }) => `  ${pid} ${command}`);
    throw new Error(`Tests left processes behind:\n${lines.join('\n')}`);
  };
}

/** Vitest's first global setup and last teardown: all temporary files of the run are in one directory. */
export default function setup(): Promise<() => Promise<void>> {
  return openRunDirectory();
}
