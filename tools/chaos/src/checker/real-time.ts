import { type Attempt, isDone, isWrite, operationOf } from '../history.ts';
import type { Evidence, Finding, LogEvent } from './evidence.ts';

/** That at some moment between its start and its end a record was in a state. */
interface Observation {
  record: string;
  attempt: Attempt;
  startMs: number;
  endMs: number;
  /** Whether the state after an event is what was observed. */
  fits: (event: LogEvent) => boolean;
  what: string;
}

/** What a response says of records. */
function observationsOf(attempt: Attempt, operationMs: number): Observation[] {
  const { operation, record, duplicate, status, endMs, currentVersion, verb } = attempt;
  // Where an operation was asked for several times, any of them may have done it.
  const done = { attempt, startMs: isWrite(attempt) ? operationMs : attempt.startMs, endMs };
  const rejected = { attempt, startMs: attempt.startMs, endMs };
  const isEndBy = (event: LogEvent) => event.verb === 'deleted' && operationOf(event.requestId) === operation;
  if (isDone(attempt)) {
    const shown = attempt.seen.map(({ record: id, version, digest }) => ({
      ...done,
      record: id,
      fits: (event: LogEvent) =>
        event.verb !== 'deleted' && event.version === version && event.digest === digest,
      what: `version ${version}`,
    }));
    const ended = verb === 'delete' ? record : duplicate;
    if (ended === undefined) return shown;
    return [...shown, { ...done, record: ended, fits: isEndBy, what: 'that it was deleted or merged' }];
  }
  if (record === undefined) return [];
  // A merge says so of either record, and its undo of the merge; a redirection leads to what it was merged into.
  if ((status === 404 && verb !== 'merge' && verb !== 'unmerge') || status === 301)
    return [{ ...rejected, record, fits: (event) => event.verb === 'deleted', what: 'that it is gone' }];
  if (status !== 412 || currentVersion === undefined) return [];
  const fits = ({ version }: LogEvent) => version === currentVersion;
  return [{ ...rejected, record, fits, what: `version ${currentVersion}` }];
}

/** Holds what was observed of one record, in the order of the starts, against its life. */
function* judge(
  observations: readonly Observation[],
  life: readonly LogEvent[],
  startOfRequest: ReadonlyMap<string, number>,
): Iterable<Finding> {
  const inOrderOfEnd = observations.toSorted((a, b) => a.endMs - b.endMs);
  /** The places in the life of the record that were seen: by each observation, and by anybody who has got the response. */
  const places = new Map<Observation, number>();
  let byAnybody = 0;
  let ended = 0;
  for (const observation of observations.toSorted((a, b) => a.startMs - b.startMs)) {
    const { attempt, startMs, endMs, fits, what } = observation;
    for (
      let past = inOrderOfEnd[ended];
      past !== undefined && past.endMs < startMs;
      past = inOrderOfEnd[ended]
    ) {
      byAnybody = Math.max(byAnybody, places.get(past) ?? 0);
      ended += 1;
    }
    const place = life.findIndex((event, index) => index >= byAnybody && fits(event));
    const event = life[place];
    const saw = `${observation.record}: ${attempt.verb} ${attempt.id} saw ${what}`;
    if (event === undefined) {
      const why = life.some(fits)
        ? `state ${byAnybody} had been answered before`
        : 'the log has no such state';
      yield `${saw}, but ${why}`;
      continue;
    }
    const askedMs = startOfRequest.get(event.requestId ?? '') ?? 0;
    yield askedMs > endMs ? `${saw} before anybody asked for it` : undefined;
    places.set(observation, place);
  }
}

/**
 * Each record behaves as if there were one copy of it, changed by one request at a time: a response shows a state that
 * the record had between question and answer, never one older than what anybody had been answered before.
 */
export function* checkRealTime({ attempts, log }: Evidence): Iterable<Finding> {
  const startOf = new Map<string, number>();
  for (const { operation, startMs } of attempts)
    startOf.set(operation, Math.min(startMs, startOf.get(operation) ?? startMs));
  const startOfRequest = new Map(attempts.map(({ id, startMs }) => [id, startMs]));
  const observed = attempts.flatMap((attempt) =>
    observationsOf(attempt, startOf.get(attempt.operation) ?? 0),
  );
  const lives = Map.groupBy(log, ({ subject }) => subject);
  for (const [record, observations] of Map.groupBy(observed, (observation) => observation.record))
    yield* judge(observations, lives.get(record) ?? [], startOfRequest);
}
