import { isDone, operationOf } from '../history.ts';
import { type Evidence, type Finding, isEnd, type LogEvent } from './evidence.ts';

/** The record that a record is part of by the last events of all, over any number of merges; undefined if that is gone. */
function survivorOf(id: string, last: ReadonlyMap<string, LogEvent>): string | undefined {
  const event = last.get(id);
  if (event === undefined) return undefined;
  if (!isEnd(event)) return id;
  return event.merge?.into && survivorOf(event.merge.into, last);
}

/** What was acknowledged and is not in the log: a merge by the event that deletes the duplicate, an undo by the one that restores it. */
function* findUnkept({ attempts, log }: Evidence): Iterable<string> {
  const done = new Set(
    log
      .filter(({ merge }) => merge !== undefined)
      .map(({ requestId, subject, verb }) => `${operationOf(requestId)} ${verb} ${subject}`),
  );
  for (const { id, operation, verb, record, duplicate } of attempts.filter(isDone)) {
    if (verb === 'merge' && !done.has(`${operation} deleted ${duplicate}`))
      yield `merge ${id} was acknowledged, but ${duplicate} was not made a part of ${record}`;
    if (verb === 'unmerge' && !done.has(`${operation} restored ${record}`))
      yield `unmerge ${id} was acknowledged, but ${record} did not come back`;
  }
}

/** References that a merge has lost on the way to the survivor, or left behind at the record that is gone. */
function* findLostReferences(log: readonly LogEvent[]): Iterable<string> {
  const refersTo = new Map<string, readonly string[]>();
  const moves = new Map(
    log.flatMap(({ merge, subject }) => (merge?.into ? [[merge.id, { from: subject, to: merge.into }]] : [])),
  );
  for (const event of log) {
    const { position, verb, subject, merge } = event;
    const before = refersTo.get(subject) ?? [];
    if (isEnd(event)) refersTo.delete(subject);
    else refersTo.set(subject, event.refersTo);
    const move = merge?.isUndo === false ? moves.get(merge.id) : undefined;
    if (move === undefined) continue;
    // A survivor that referred to the other one does not come to refer to itself.
    const isMoved = event.refersTo.includes(move.to) || subject === move.to;
    if (verb === 'updated' && before.includes(move.from) && !isMoved)
      yield `event ${position}: ${subject} referred to ${move.from}, and not to ${move.to} afterwards`;
    if (verb !== 'deleted') continue;
    for (const [other, ids] of refersTo)
      if (ids.includes(subject))
        yield `event ${position}: ${other} refers to ${subject}, which is part of ${move.to} now`;
  }
}

/**
 * A merge that was acknowledged is kept: the id of the duplicate responds with the survivor, it is in no list, and what referred to it refers
 * to the survivor. One that was undone is back under its id.
 */
export function* checkMerges(evidence: Evidence): Iterable<Finding> {
  const { log, tables, found } = evidence;
  const last = new Map(log.map((event) => [event.subject, event]));
  const listed = new Set(Object.values(tables).flatMap((table) => table.map(({ record }) => record)));
  yield* findUnkept(evidence);
  yield* findLostReferences(log);
  for (const [id, { status, leadsTo }] of found) {
    const survivor = survivorOf(id, last);
    const isThere = survivor === id;
    const is = leadsTo === undefined ? `${status}` : `${status} to ${leadsTo}`;
    const should = isThere ? '200' : survivor === undefined ? '404' : `301 to ${survivor}`;
    yield is === should ? undefined : `${id} returns ${is}, not ${should}`;
    if (listed.has(id) !== isThere) yield `${id} is ${isThere ? 'there and not listed' : 'listed and gone'}`;
  }
}
