import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of processes of this machine, as Linux tells them in /proc (proc_pid_stat(5)). */

const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended between being listed and being read.
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the third on; the second is the name, which may hold spaces. */
function statOf(pid: number | string): string[] | undefined {
  return read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
}

/** What all threads of a process have run, in nanoseconds: stat counts in ticks of 10 ms, which is too coarse. */
function runOf(pid: number | string): number {
  const threads = read(`/proc/${pid}/schedstat`) === undefined ? [] : listed(`/proc/${pid}/task`);
  return threads
    .map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[0] ?? 0))
    .reduce((sum, ns) => sum + ns, 0);
}

function listed(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** CPU time of a process and its threads so far, in microseconds. */
export function cpuOf(pid: number): number {
  return runOf(pid) / 1_000;
}

/**
 * CPU time of a PostgreSQL so far, in microseconds: of the postmaster, of the backends that run, and of those that
 * have ended, which the postmaster has inherited (cutime and cstime).
 */
export function cpuOfPostgres(postmaster: number): number {
  const ended = statOf(postmaster)?.slice(13, 15).map(Number) ?? [];
  const endedUs = ((ended[0] ?? 0) + (ended[1] ?? 0)) * (1e6 / TICKS_PER_S);
  const children = listed('/proc').filter(
    (name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(postmaster),
  );
  return [String(postmaster), ...children].reduce((sum, pid) => sum + runOf(pid) / 1_000, endedUs);
}

/** The parent of a backend, where both run on this machine; undefined where PostgreSQL is elsewhere. */
export function parentOf(backend: number): number | undefined {
  if (!read(`/proc/${backend}/comm`)?.startsWith('postgres')) return undefined;
  return Number(statOf(backend)?.[1]);
}

/** What a process keeps in memory, in bytes. */
export function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024;
}

/** The most memory that a process has had resident so far, in MiB; undefined once it is gone. */
export function peakOf(pid: number): number | undefined {
  const [, kibibytes] = /^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '') ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1_024;
}

/** Keeps all threads of a process on some cores (taskset's list, such as '0' or '2-3'). */
export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}
