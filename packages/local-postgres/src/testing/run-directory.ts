import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from './processes.ts';

const PREFIX = 'test-run-';
/** How long test processes may outlive the run. */
const END_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

/** In memory on Linux. */
const MEMORY = '/dev/shm';
/** In bytes, to keep a run's databases in memory. */
const MEMORY_MIN = 4 * 1024 ** 3;

function memoryDirectoryOf(directory: string): string {
  return join(MEMORY, basename(directory));
}

/** Undefined without enough memory, or outside a run. */
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

/** By working directory, as PostgreSQL, or TMPDIR. Linux only. */
async function findLeftovers(directory: string): Promise<Leftover[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => findLeftover(Number(pid), directory)));
  return found.filter((leftover) => leftover !== undefined);
}

async function findLeftover(pid: number, directory: string): Promise<Leftover | undefined> {
  // Unreadable for processes of other users, or ended meanwhile.
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

/** Repeats until no process is found, because one may start another while being killed. */
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
 * A process that waits for this one to end in any way, even SIGKILL, then cleans the directory. It has its
 * own session, out of reach of Ctrl-C and a closing terminal, and no TMPDIR, so that it does not belong to
 * the run.
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

/** Closing it kills remaining processes and fails if there were any; another process does so after a crash. */
export async function openRunDirectory(timeoutMs = END_TIMEOUT_MS): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  // Beside the parent run's directory, because socket paths are short.
  const isInRun = basename(tmpdir()).startsWith(PREFIX);
  const directory = await mkdtemp(join(isInRun ? dirname(tmpdir()) : tmpdir(), PREFIX));
  // As root, PostgreSQL runs as `nobody`, who needs access.
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

/** Vitest's first global setup and last teardown: keeps the run's temporary files in one directory. */
export default function setup(): Promise<() => Promise<void>> {
  return openRunDirectory();
}
