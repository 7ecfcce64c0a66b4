import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of processes of this machine, as Linux tells them in /proc (proc_pid_stat(5)). */

const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Answers nothing where a process has ended between being listed and being read. */
function unlessGone<Found>(read: () => Found, nothing: Found): Found {
  try {
    return read();
  } catch {
    return nothing;
  }
}

const read = (path: string) => unlessGone(() => readFileSync(path, 'utf8'), '');
const list = (path: string) => unlessGone(() => readdirSync(path), []);

/** The fields of /proc/<pid>/stat from the third on; the second is the name, which may hold spaces. */
const statOf = (pid: number | string) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** What all threads of a process have run, in microseconds: stat counts in ticks of 10 ms, which is too coarse. */
function cpuOf(pid: number | string): number {
  const threads = list(`/proc/${pid}/task`);
  return sumOf(
    threads.map(
      (thread) => Number.parseInt(read(`/proc/${pid}/task/${thread}/schedstat`) || '0', 10) / 1_000,
    ),
  );
}

/** The same of a PostgreSQL: of the postmaster, of the backends that run, and of those that have ended, which it has inherited (cutime and cstime). */
function cpuOfPostgres(postmaster: number): number {
  const endedTicks = sumOf(statOf(postmaster).slice(13, 15).map(Number));
  const backends = list('/proc').filter((name) => statOf(name)[1] === String(postmaster));
  return (endedTicks / TICKS_PER_S) * 1e6 + sumOf([postmaster, ...backends].map(cpuOf));
}

/** Runs something, and measures what a server and PostgreSQL, by its postmaster, compute meanwhile, in microseconds. */
export async function measureCpu<Result>(
  { server, postmaster }: { server: number; postmaster: number },
  run: () => Promise<Result>,
): Promise<{ result: Result; serverUs: number; databaseUs: number }> {
  const [serverBefore, databaseBefore] = [cpuOf(server), cpuOfPostgres(postmaster)];
  const result = await run();
  const databaseUs = cpuOfPostgres(postmaster) - databaseBefore;
  return { result, serverUs: cpuOf(server) - serverBefore, databaseUs };
}

/** What a process has of a kind of memory, in bytes; undefined once it is gone. */
function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM'): number | undefined {
  const [, kibibytes] = new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`)) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1_024;
}

/** What a process keeps in memory, in megabytes. */
export const residentOf = (pid: number): number => (memoryOf(pid, 'VmRSS') ?? 0) / 1e6;

/** The most memory that a process has had resident so far, in MiB; undefined once it is gone. */
export function peakOf(pid: number): number | undefined {
  const bytes = memoryOf(pid, 'VmHWM');
  return bytes === undefined ? undefined : bytes / 2 ** 20;
}

/** Keeps all threads of a process on some cores (taskset's list, such as '0' or '2-3'). */
export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}
