import { type Attempt, isDone } from '../history.ts';
import type { Evidence, LogEvent, Verdict } from './evidence.ts';
import { operationOf } from './timeline.ts';

/** What became of a record, by the last of its events: it is there, is part of another one, or is gone. */
type Fate = 'there' | 'gone' | { into: string };

function fatesOf(log: readonly LogEvent[]): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const { subject, verb, merge } of log) {
    if (verb !== 'deleted' && verb !== 'purged') fates.set(subject, 'there');
    else fates.set(subject, merge?.into === undefined ? 'gone' : { into: merge.into });
  }
  return fates;
}

/** The record that a record is part of, over any number of merges; undefined if that is gone. */
function survivorOf(id: string, fates: ReadonlyMap<string, Fate>): string | undefined {
  const fate = fates.get(id);
  if (typeof fate === 'object') return survivorOf(fate.into, fates);
  return fate === 'there' ? id : undefined;
}

/** What was acknowledged and is not in the log: a merge by the event that deletes the duplicate, an undo by the one that restores it. */
function unkept(attempts: readonly Attempt[], log: readonly LogEvent[]): string[] {
  const done = new Set(
    log
      .filter(({ verb, merge }) => merge !== undefined && (verb === 'deleted' || verb === 'restored'))
      .map(({ requestId, subject, verb }) => `${operationOf(requestId)} ${verb} ${subject}`),
  );
  return attempts.filter(isDone).flatMap(({ id, operation, verb, record, duplicate }) => {
    if (verb === 'merge' && !done.has(`${operation} deleted ${duplicate}`))
      return [`merge ${id} was acknowledged, but ${duplicate} was not made a part of ${record}`];
    if (verb === 'unmerge' && !done.has(`${operation} restored ${record}`))
      return [`unmerge ${id} was acknowledged, but ${record} did not come back`];
    return [];
  });
}

/** References that a merge has lost on the way to the survivor, or left behind at the record that is gone. */
function lostReferences(log: readonly LogEvent[]): string[] {
  const broken: string[] = [];
  const refersTo = new Map<string, readonly string[]>();
  const intoOf = new Map(
    log.flatMap(({ merge, subject }) => (merge?.into ? [[merge.id, { from: subject, to: merge.into }]] : [])),
  );
  for (const { position, verb, subject, merge, ...event } of log) {
    const before = refersTo.get(subject) ?? [];
    if (verb === 'deleted' || verb === 'purged') refersTo.delete(subject);
    else refersTo.set(subject, event.refersTo);
    const move = merge?.isUndo === false ? intoOf.get(merge.id) : undefined;
    if (move === undefined) continue;
    // A survivor that referred to the other one does not come to refer to itself.
    const isMoved = event.refersTo.includes(move.to) || subject === move.to;
    if (verb === 'updated' && before.includes(move.from) && !isMoved)
      broken.push(`event ${position}: ${subject} referred to ${move.from}, and not to ${move.to} afterwards`);
    if (verb !== 'deleted') continue;
    for (const [other, ids] of refersTo)
      if (ids.includes(subject))
        broken.push(`event ${position}: ${other} refers to ${subject}, which is part of ${move.to} now`);
  }
  return broken;
}

/**
 * A merge that was acknowledged is kept: the id of the duplicate answers with the survivor, it is in no list, and what referred to it refers
 * to the survivor. One that was undone is back under its id.
 */
export function checkMerges({ attempts, log, tables, found }: Evidence): Verdict {
  const fates = fatesOf(log);
  const listed = new Set(Object.values(tables).flatMap((table) => table.map(({ record }) => record)));
  const broken = [...unkept(attempts, log), ...lostReferences(log)];
  for (const [id, { status, leadsTo }] of found) {
    const fate = fates.get(id);
    const survivor = survivorOf(id, fates);
    const wanted = survivor === undefined ? 404 : survivor === id ? 200 : 301;
    if (status !== wanted || (wanted === 301 && leadsTo !== survivor)) {
      const answered = `${status}${leadsTo === undefined ? '' : ` to ${leadsTo}`}`;
      broken.push(
        `${id} is answered with ${answered}, not with ${wanted}${wanted === 301 ? ` to ${survivor}` : ''}`,
      );
    }
    if (listed.has(id) !== (fate === 'there'))
      broken.push(`${id} is ${listed.has(id) ? 'listed and gone' : 'there and not listed'}`);
  }
  return { promise: 'a merge is kept, and one that was undone is back', count: found.size, broken };
}
