import { type Attempt, isDone, isWrite } from '../history.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { type State, type Timeline, timelinesOf } from './timeline.ts';

/** That at some moment between its start and its end a record was in a state. */
interface Observation {
  attempt: Attempt;
  startMs: number;
  endMs: number;
  /** Whether a state is what was observed. */
  fits: (state: State) => boolean;
  what: string;
}

function ofVersion(version: number, digest: string | undefined) {
  return ({ event }: State) =>
    event.verb !== 'deleted' && event.version === version && (digest ?? event.digest) === event.digest;
}

/** What an answer says of records, each with the id of its record. */
function observationsOf(attempt: Attempt, startOf: Map<string, number>): [string, Observation][] {
  const { operation, record, duplicate, status, endMs, currentVersion, verb } = attempt;
  // Where an operation was asked for several times, any of them may have done it.
  const startMs = isWrite(attempt) ? (startOf.get(operation) ?? attempt.startMs) : attempt.startMs;
  const about = { attempt, startMs, endMs };
  if (isDone(attempt) && verb === 'delete' && record !== undefined) {
    const fits = (state: State) => state.operation === operation;
    return [[record, { ...about, fits, what: 'its deletion' }]];
  }
  if (isDone(attempt)) {
    const seen = attempt.seen.map(({ record: id, version, digest }): [string, Observation] => [
      id,
      { ...about, fits: ofVersion(version, digest), what: `version ${version}` },
    ]);
    if (duplicate === undefined) return seen;
    const fits = ({ event, operation: by }: State) => by === operation && event.verb === 'deleted';
    return [...seen, [duplicate, { ...about, fits, what: 'that it was merged' }]];
  }
  if (record === undefined) return [];
  // A merge says so of either record, and its undo of the merge; a redirection leads to what it was merged into.
  const isGone = (status === 404 && verb !== 'merge' && verb !== 'unmerge') || status === 301;
  if (isGone) {
    const fits = ({ event }: State) => event.verb === 'deleted';
    return [[record, { ...about, startMs: attempt.startMs, fits, what: 'that it is gone' }]];
  }
  if (status === 412 && currentVersion !== undefined) {
    const fits = ({ event }: State) => event.version === currentVersion;
    return [[record, { ...about, startMs: attempt.startMs, fits, what: `version ${currentVersion}` }]];
  }
  return [];
}

/** What has been seen of one record: by anybody, and by each client, as the places of states in its life. */
class Seen {
  readonly #underWay: { endMs: number; index: number }[] = [];
  readonly #byClient = new Map<number, number>();
  #byAnybody = 0;

  /** The oldest state that an attempt which starts now may see. */
  least({ isStrict, client }: Attempt, startMs: number): number {
    for (const [place, { endMs, index }] of [...this.#underWay.entries()].reverse()) {
      if (endMs >= startMs) continue;
      this.#byAnybody = Math.max(this.#byAnybody, index);
      this.#underWay.splice(place, 1);
    }
    return isStrict ? this.#byAnybody : (this.#byClient.get(client) ?? 0);
  }

  note({ client }: Attempt, endMs: number, index: number): void {
    this.#underWay.push({ endMs, index });
    // A client asks for one thing after another.
    this.#byClient.set(client, Math.max(index, this.#byClient.get(client) ?? 0));
  }
}

function faultsOf(
  observations: Observation[],
  { states }: Timeline,
  startOfRequest: Map<string, number>,
): string[] {
  const broken: string[] = [];
  const seen = new Seen();
  for (const { attempt, startMs, endMs, fits, what } of observations.sort((a, b) => a.startMs - b.startMs)) {
    const least = seen.least(attempt, startMs);
    const state = states.find((candidate) => candidate.index >= least && fits(candidate));
    if (state === undefined) {
      const isOld = states.some(fits);
      const why = isOld ? `state ${least} had been answered before` : 'the log has no such state';
      broken.push(`${attempt.verb} ${attempt.id} saw ${what}, but ${why}`);
      continue;
    }
    const written = startOfRequest.get(state.event.requestId ?? '');
    if (written !== undefined && written > endMs)
      broken.push(`${attempt.verb} ${attempt.id} saw ${what} before anybody asked for it`);
    seen.note(attempt, endMs, state.index);
  }
  return broken;
}

/**
 * Each record behaves as if there were one copy of it, changed by one request at a time: an answer shows a state that
 * the record had between question and answer, never one older than what anybody had been answered before. A read from
 * a standby shows at least what its own client has seen.
 */
export function checkRealTime({ attempts, log }: Evidence): Verdict {
  const startOf = new Map<string, number>();
  const startOfRequest = new Map<string, number>();
  for (const { id, operation, startMs } of attempts) {
    startOf.set(operation, Math.min(startMs, startOf.get(operation) ?? startMs));
    startOfRequest.set(id, startMs);
  }
  const byRecord = new Map<string, Observation[]>();
  for (const attempt of attempts) {
    for (const [record, observation] of observationsOf(attempt, startOf)) {
      const known = byRecord.get(record);
      if (known === undefined) byRecord.set(record, [observation]);
      else known.push(observation);
    }
  }
  const timelines = timelinesOf(log);
  const broken: string[] = [];
  let count = 0;
  for (const [record, observations] of byRecord) {
    count += observations.length;
    const timeline = timelines.get(record) ?? { states: [], ofVersion: new Map() };
    broken.push(...faultsOf(observations, timeline, startOfRequest).map((fault) => `${record}: ${fault}`));
  }
  return { promise: 'every read sees what was answered before it began', count, broken };
}
