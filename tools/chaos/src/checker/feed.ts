import { collections } from '../history.ts';
import { type Evidence, type Finding, isEnd } from './evidence.ts';

/** The position after another that an event of a record has. */
function nextPosition(position: number, adminPositions: ReadonlySet<number>): number {
  let next = position + 1;
  while (adminPositions.has(next)) next += 1;
  return next;
}

/** The log has every position from 1 on, each once, in order, and holds every event of the table. */
export function* checkPositions({ log, logRows, adminPositions }: Evidence): Iterable<Finding> {
  let last = 0;
  for (const { position } of log) {
    const isNext = position === nextPosition(last, adminPositions);
    yield isNext ? undefined : `position ${position} follows ${last}`;
    last = position;
  }
  if (logRows !== log.length) yield `the table holds ${logRows} events, the feed ${log.length}`;
}

/** A reader that applies the log from its start holds exactly the tables. */
export function* checkTables({ log, tables }: Evidence): Iterable<Finding> {
  const applied = new Map(log.map((event) => [event.subject, event]));
  for (const [record, event] of applied) if (isEnd(event)) applied.delete(record);
  for (const collection of collections) {
    for (const { record, digest } of tables[collection]) {
      const event = applied.get(record);
      applied.delete(record);
      if (event?.collection !== collection) yield `${collection} hold ${record}, the log does not`;
      else yield event.digest === digest ? undefined : `${collection} and the log differ in ${record}`;
    }
  }
  for (const [record, { collection }] of applied) yield `the log holds ${record}, ${collection} do not`;
}

/** A follower that was there all the time received every event once, in order, and none that is not so any more. */
export function* checkFollowers({ followers, log, adminPositions }: Evidence): Iterable<Finding> {
  const wholes = new Map(log.map(({ position, whole }) => [position, whole]));
  const end = log.at(-1)?.position ?? 0;
  for (const { name, items, expiries } of followers) {
    let last = 0;
    for (const { position, whole } of items) {
      if (position !== nextPosition(last, adminPositions))
        yield `${name} was brought ${position} after ${last}`;
      else if (wholes.get(position) !== whole)
        yield `${name} saw another event at ${position} than the log has`;
      else yield undefined;
      last = position;
    }
    if (last < end) yield `${name} ended at ${last} of ${end}`;
    yield* expiries.map((detail) => `${name} was told that its place is gone: ${detail}`);
  }
}
