import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';
import { codeOf } from '../errors.ts';

const run = promisify(execFile);

/** False for a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  const text =
    process.platform === 'linux'
      ? // The name, in parentheses, may itself contain parentheses; the state follows it.
        (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ').at(-1)
      : (await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => undefined))?.stdout.trim();
  return /^[^ZX]/.test(text ?? '');
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
