import { type Attempt, digestOf, forEachCollection, type Seen } from '../../history.ts';
import { checkAll } from '../check.ts';
import type { Evidence, LogEvent } from '../evidence.ts';

/** What is found to be broken, promise by promise. */
export function found(evidence: Evidence): Record<string, string[]> {
  const broken = checkAll(evidence).filter((verdict) => verdict.broken.length > 0);
  return Object.fromEntries(broken.map(({ promise, broken: lines }) => [promise, lines]));
}

/** The state that a record of a forged run has in one of its versions. */
export function stateOf(record: string, version: number): Seen {
  return { record, version, status: 'active', digest: digestOf({ record, version }) };
}

/** An event of a forged run; a change of an agent, made of the version before it. */
export function eventOf(
  event: Pick<LogEvent, 'position' | 'verb' | 'subject' | 'version' | 'requestId'>,
): LogEvent {
  const { subject, version, verb } = event;
  const { digest } = stateOf(subject, version);
  const before = verb === 'deleted' ? digest : stateOf(subject, version - 1).digest;
  const whole = digestOf({ event });
  return { ...event, refersTo: [], occurredAtMs: 0, collection: 'agents', digest, before, whole };
}

let clock = 0;

/** An attempt of a forged run that was answered with success, after everything before it. */
export function attemptOf(attempt: Pick<Attempt, 'operation' | 'verb'> & Partial<Attempt>): Attempt {
  clock += 10;
  return {
    id: `${attempt.operation}.1`,
    startMs: clock,
    endMs: clock + 5,
    client: 0,
    collection: 'agents',
    isKeyed: true,
    seen: [],
    status: 200,
    isFromService: true,
    hasRetryAfter: false,
    ...attempt,
  };
}

/** What the feed, a follower and a webhook tell of a log. */
export function tell(log: readonly LogEvent[]): Pick<Evidence, 'log' | 'logRows' | 'followers' | 'told'> {
  const items = log.map(({ position, whole }) => ({ position, whole }));
  const messages = log.map(({ position, subject, whole }) => ({
    id: `evt_${position}`,
    position,
    subject,
    whole,
    isVerified: true,
    isTaken: true,
  }));
  return {
    log,
    logRows: log.length,
    followers: [{ name: 'follower', items, expiries: [] }],
    told: { collection: 'agents', messages },
  };
}

/** A run in which a record is created, changed, read and deleted, and another one created; all is well. */
export function goodRun(): Evidence {
  return {
    attempts: [
      attemptOf({ operation: 'c0-0', verb: 'create', status: 201, seen: [stateOf('a', 1)] }),
      attemptOf({ operation: 'c0-1', verb: 'update', record: 'a', ifVersion: 1, seen: [stateOf('a', 2)] }),
      attemptOf({ operation: 'c0-2', verb: 'get', record: 'a', seen: [stateOf('a', 2)] }),
      attemptOf({ operation: 'c0-3', verb: 'create', status: 201, seen: [stateOf('b', 1)] }),
      attemptOf({ operation: 'c0-4', verb: 'delete', record: 'a', status: 204, isKeyed: false }),
    ],
    ...tell([
      eventOf({ position: 1, verb: 'created', subject: 'a', version: 1, requestId: 'c0-0.1' }),
      eventOf({ position: 2, verb: 'updated', subject: 'a', version: 2, requestId: 'c0-1.1' }),
      eventOf({ position: 3, verb: 'created', subject: 'b', version: 1, requestId: 'c0-3.1' }),
      eventOf({ position: 4, verb: 'deleted', subject: 'a', version: 2, requestId: 'c0-4.1' }),
    ]),
    adminPositions: new Set(),
    jobs: [],
    tables: { ...forEachCollection((): Seen[] => []), agents: [stateOf('b', 1)] },
    found: new Map(),
    schedules: [],
    faults: [],
    lasting: [],
  };
}
