import process from 'node:process';

const CHECK_MS = 500;

/**
 * Calls a function once the parent of this process has ended, as its shell does when npm is told to stop: npm hands its signals to the
 * shell, and no further. Keeps no process alive.
 */
export function whenParentEnds(act: () => void): void {
  // Read now: a process whose parent has ended has another one.
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    act();
  }, CHECK_MS).unref();
}
