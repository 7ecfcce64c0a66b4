import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process started, in whatever words its system uses. A process id alone names nobody for long, as the
 * numbers are used again; together with this it does.
 *
 * @returns undefined when no such process runs; one that ended and merely was not collected counts as ended
 */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startByPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name, in parentheses, may hold spaces and parentheses itself; proc(5) counts the fields after it from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[22 - 3];
}

async function startByPs(pid: number): Promise<string | undefined> {
  const found = await run('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C' },
  }).catch(() => ({ stdout: '' }));
  const [state = 'Z', ...started] = found.stdout.trim().split(/\s+/);
  return state.startsWith('Z') ? undefined : started.join(' ');
}

/** Whether a process works in a directory (Linux), or else was told of it on its command line. */
export async function worksIn(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const found = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => undefined);
    return found?.stdout.includes(directory) ?? false;
  }
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (workingDirectory !== undefined) return workingDirectory === directory;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.split('\0').includes(directory);
}
