import type { Delivered, Evidence, LogEvent, Verdict } from './evidence.ts';

function faultsOfMessage(message: Delivered, log: ReadonlyMap<number, LogEvent>): string[] {
  const { id, position, whole, isVerified, isTaken } = message;
  // One that was signed at the wrong time, by a server whose clock is wrong, is rejected, and has to come again.
  if (isTaken && !isVerified) return [`message ${id} was taken and does not verify`];
  return log.get(position)?.whole === whole ? [] : [`message ${id} tells of another event than ${position}`];
}

/** The first time each event was taken comes in the order of the record's events. */
function faultsOfOrder(messages: readonly Delivered[]): string[] {
  const last = new Map<string, number>();
  const taken = new Set<number>();
  const broken: string[] = [];
  for (const { position, subject, isTaken } of messages) {
    if (!isTaken || taken.has(position)) continue;
    taken.add(position);
    const before = last.get(subject) ?? 0;
    if (position < before) broken.push(`event ${position} of ${subject} was delivered after ${before}`);
    last.set(subject, Math.max(position, before));
  }
  return broken;
}

/** Every event the webhook wants was taken at least once, signed, in the order of each record. */
export function checkWebhooks({ told, log }: Evidence): Verdict {
  const { start, collection, messages } = told;
  const taken = new Set(messages.filter(({ isTaken }) => isTaken).map(({ position }) => position));
  const wanted = log.filter((event) => event.position > start && event.collection === collection);
  const missing = wanted.filter(({ position }) => !taken.has(position));
  const byPosition = new Map(log.map((event) => [event.position, event]));
  const broken = [
    ...missing.map(({ position }) => `event ${position} was never delivered`),
    ...messages.flatMap((message) => faultsOfMessage(message, byPosition)),
    ...faultsOfOrder(messages),
  ];
  return { promise: 'webhooks receive every event, signed, in order', count: wanted.length, broken };
}
