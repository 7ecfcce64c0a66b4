import process from 'node:process';

/**
 * New objects get a quarter of the room, and what is old is collected when it has grown by three fifths instead of fourfold.
 * With less room what serves 64 connections outlives its collection, and requests cost a third more; with less growth
 * collections are so frequent that on one core one request in a hundred takes 40 ms.
 */
export const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=60'];

/** glibc keeps one heap for all threads, and gives back to the system what is free at its end beyond so many bytes. */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '3000000' };

/** Where somebody has said how much memory the process is to have, it has that. */
const SIZES = /--(?:max|min)[-_](?:semi[-_]space|old[-_]space|heap)[-_]size/;

/**
 * Begins the process again, as the same process of the system, with half the memory that Node.js takes by itself. Nobody can
 * set these when it runs. It returns where that has happened, was asked for otherwise, or cannot be done (Windows; a process
 * that talks to its parent, or may start no other).
 */
export function startLean(): void {
  const { execve, execPath, execArgv, argv, env, channel } = process;
  if (execve === undefined || channel !== undefined) return;
  if (SIZES.test([...execArgv, env.NODE_OPTIONS].join(' '))) return;
  try {
    execve(execPath, [execPath, ...FLAGS, ...execArgv, ...argv.slice(1)], { ...ENVIRONMENT, ...env });
  } catch {
    // Node.js's permissions forbid it: then it starts with the memory it has.
  }
}
