import { type Collection, collections, type Seen } from '../history.ts';
import type { Evidence, Followed, LogEvent, Verdict } from './evidence.ts';

/** The position after another that an event of a record has. */
function nextPosition(position: number, adminPositions: ReadonlySet<number>): number {
  let next = position + 1;
  while (adminPositions.has(next)) next += 1;
  return next;
}

/** The log has every position from 1 on, each once, in order, and holds every event of the table. */
export function checkPositions({ log, logRows, adminPositions }: Evidence): Verdict {
  const broken: string[] = [];
  let last = 0;
  for (const { position } of log) {
    if (position !== nextPosition(last, adminPositions)) broken.push(`position ${position} follows ${last}`);
    last = position;
  }
  if (logRows !== log.length) broken.push(`the table holds ${logRows} events, the feed ${log.length}`);
  return { promise: 'the log is complete and in order', count: log.length, broken };
}

/** A reader that applies the log from its start holds exactly the tables. */
export function checkTables({ log, tables }: Evidence): Verdict {
  const broken: string[] = [];
  let count = 0;
  for (const collection of collections) {
    const applied = recordsAfter(log, collection);
    count += tables[collection].length;
    broken.push(...differences(applied, tables[collection], collection));
  }
  return { promise: 'the log applied from its start equals the tables', count, broken };
}

function recordsAfter(log: readonly LogEvent[], collection: Collection): Map<string, string> {
  const records = new Map<string, string>();
  for (const event of log) {
    if (event.collection !== collection) continue;
    if (event.verb === 'deleted' || event.verb === 'purged') records.delete(event.subject);
    else records.set(event.subject, event.digest);
  }
  return records;
}

function differences(applied: Map<string, string>, table: readonly Seen[], collection: Collection): string[] {
  const broken: string[] = [];
  for (const { record, digest } of table) {
    if (!applied.has(record)) broken.push(`${collection} hold ${record}, the log does not`);
    else if (applied.get(record) !== digest) broken.push(`${collection} and the log differ in ${record}`);
    applied.delete(record);
  }
  return [...broken, ...[...applied.keys()].map((record) => `the log holds ${record}, ${collection} do not`)];
}

function faultsOf(
  { name, start, items, expiries }: Followed,
  { log, adminPositions }: Pick<Evidence, 'log' | 'adminPositions'>,
): string[] {
  const wholes = new Map(log.map(({ position, whole }) => [position, whole]));
  const broken = expiries.map((detail) => `${name} was told that its place is gone: ${detail}`);
  let last = start;
  for (const { position, whole } of items) {
    if (position !== nextPosition(last, adminPositions))
      broken.push(`${name} was brought ${position} after ${last}`);
    else if (wholes.get(position) !== whole)
      broken.push(`${name} saw another event at ${position} than the log has`);
    last = position;
  }
  const end = log.at(-1)?.position ?? 0;
  if (last < end) broken.push(`${name} ended at ${last} of ${end}`);
  return broken;
}

/** A follower that was there all the time received every event once, in order, and none that is not so any more. */
export function checkFollowers(evidence: Evidence): Verdict {
  const { followers } = evidence;
  const broken = followers.flatMap((follower) => faultsOf(follower, evidence));
  const count = followers.reduce((sum, { items }) => sum + items.length, 0);
  return { promise: 'a follower of the stream misses nothing, and never moves back', count, broken };
}
