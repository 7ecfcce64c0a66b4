import { availableParallelism } from 'node:os';

/** More would be a mistake: each process has connections to the database and memory of its own. */
const PROCESSES_MAX = 64;

/**
 * Parses the number of processes that ROSTER_PROCESSES asks for: a number, or `auto` for one for each core that this process may
 * use. Imports nothing but Node.js, because the process that starts the others reads it before it loads anything else.
 *
 * @returns undefined if the value is invalid
 */
export function processCount(value: string): number | undefined {
  if (value === 'auto') return Math.min(availableParallelism(), PROCESSES_MAX);
  const count = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  return count >= 1 && count <= PROCESSES_MAX ? count : undefined;
}

/** The rule that a value breaks for which `processCount` returns undefined. */
export const PROCESS_COUNT_RULE = `must be a whole number from 1 to ${PROCESSES_MAX}, or auto`;

/**
 * The part of a limit of the server that each of its processes has.
 *
 * @param limit that of the setting, at least 1
 */
export function shareOf(limit: number, processes: number): number {
  return Math.ceil(limit / processes);
}
