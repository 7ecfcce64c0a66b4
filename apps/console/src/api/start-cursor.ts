/** Longer than the service takes, and not longer than someone waits for a page if it does not answer. */
const ANSWER_MS = 1_000;

async function readEnd(): Promise<string | undefined> {
  // Who signs in has read nothing.
  if (window.location.pathname === '/console/sign-in') return undefined;
  try {
    const response = await fetch('/events?after=latest', { signal: AbortSignal.timeout(ANSWER_MS) });
    const { nextAfter } = (await response.json()) as { nextAfter?: string };
    return nextAfter;
  } catch {
    return undefined;
  }
}

/**
 * The cursor at the end of the log before the page reads anything, from which its stream of events goes on: a change in between is not
 * missed. Asked for before the page is built. Undefined if the caller may not read the log of offices and agents, or if the service does
 * not answer in time: then the page reads again when its stream is connected.
 */
export const startCursor: Promise<string | undefined> = readEnd();
