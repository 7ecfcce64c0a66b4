import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from '../errors.ts';

const run = promisify(execFile);

/**
 * When a process started, in the format of its operating system. Process ids are reused; an id and a start time
 * together identify one process.
 *
 * @returns undefined if no such process runs; a zombie counts as not running
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startTimeByPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name, in parentheses, may itself contain spaces and parentheses; proc(5) numbers the fields after it from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[22 - 3];
}

async function startTimeByPs(pid: number): Promise<string | undefined> {
  const found = await run('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C' },
  }).catch(() => ({ stdout: '' }));
  const [state = 'Z', ...started] = found.stdout.trim().split(/\s+/);
  return state.startsWith('Z') ? undefined : started.join(' ');
}

/** Sends a signal to a process, unless it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Whether a directory is the working directory of a process (Linux), or is named on its command line. */
export async function usesDirectory(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const found = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => undefined);
    return found?.stdout.includes(directory) ?? false;
  }
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (workingDirectory !== undefined) return workingDirectory === directory;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0').includes(directory);
}
