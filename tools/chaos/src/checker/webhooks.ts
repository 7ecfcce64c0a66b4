import type { Delivered, Evidence, Finding, LogEvent } from './evidence.ts';

function findFault(message: Delivered, event: LogEvent | undefined): string | undefined {
  const { id, position, whole, isVerified, isTaken } = message;
  // One that was signed at the wrong time, by a server whose clock is wrong, is rejected, and has to come again.
  if (isTaken && !isVerified) return `message ${id} was taken and does not verify`;
  return event?.whole === whole ? undefined : `message ${id} tells of another event than ${position}`;
}

/** Every event the webhook wants was taken at least once, signed; the first time each was taken comes in the order of its record. */
export function* checkWebhooks({ told: { collection, messages }, log }: Evidence): Iterable<Finding> {
  const events = new Map(log.map((event) => [event.position, event]));
  const last = new Map<string, number>();
  const taken = new Set<number>();
  for (const message of messages) {
    const { position, subject, isTaken } = message;
    yield findFault(message, events.get(position));
    if (!isTaken || taken.has(position)) continue;
    taken.add(position);
    const before = last.get(subject) ?? 0;
    if (position < before) yield `event ${position} of ${subject} was delivered after ${before}`;
    last.set(subject, Math.max(position, before));
  }
  for (const event of log)
    if (event.collection === collection && !taken.has(event.position))
      yield `event ${event.position} was never delivered`;
}
