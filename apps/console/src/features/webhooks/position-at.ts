interface Placed {
  position: number;
  occurredAt: string;
}

/** Events get their positions after their commit, so that one may have a lower position than an event before it. */
const DISORDER_MS = 60_000;

/**
 * Finds the position after which everything since a time is in the log, by halving: positions grow with the times.
 *
 * @param end the last position to look at
 * @param firstAfter reads the first event after a position; undefined if there is none, null if the log has only the newest event
 * of each record there, which is older than any time that is asked for
 */
export async function positionBefore(
  time: Date,
  { end, firstAfter }: { end: number; firstAfter: (position: number) => Promise<Placed | undefined | null> },
): Promise<number> {
  const since = time.getTime() - DISORDER_MS;
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstAfter(middle);
    if (found === null) low = middle + 1;
    else if (found === undefined || Date.parse(found.occurredAt) >= since) high = middle;
    else low = Math.min(found.position, end);
  }
  return low;
}
