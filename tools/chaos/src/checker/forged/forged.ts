import { type Attempt, digestOf, forEachCollection, type Seen } from '../../history.ts';
import type { Evidence, LogEvent } from '../evidence.ts';

/** The state that a record of a forged run has in one of its versions. */
export function stateOf(record: string, version: number): Seen {
  return { record, version, status: 'active', digest: digestOf({ record, version }) };
}

/** An event of a forged run; a change of an agent, made of the version before it. */
export function eventOf(
  event: Pick<LogEvent, 'position' | 'verb' | 'subject' | 'version' | 'requestId'>,
): LogEvent {
  const { subject, version, verb } = event;
  const { status, digest } = stateOf(subject, version);
  const before = verb === 'deleted' ? digest : stateOf(subject, version - 1).digest;
  const whole = digestOf({ event });
  const plain = { bulkId: null, refersTo: [], occurredAtMs: 0, collection: 'agents' as const };
  return { ...event, ...plain, status, digest, before, whole };
}

let clock = 0;

/** The verified messages by which a webhook is told a log. */
export const messagesOf = (log: readonly LogEvent[]) =>
  log.map(({ position, subject, whole }) => ({
    id: `evt_${position}`,
    position,
    subject,
    whole,
    isVerified: true,
    isTaken: true,
  }));

/** An attempt of a forged run that was answered with success, after everything before it. */
export function attemptOf(attempt: Pick<Attempt, 'operation' | 'verb'> & Partial<Attempt>): Attempt {
  clock += 10;
  const plain = { client: 0, collection: 'agents' as const, isKeyed: true, isStrict: true, seen: [] };
  const answered = { status: 200, isFromService: true, hasRetryAfter: false };
  return {
    id: `${attempt.operation}.1`,
    startMs: clock,
    endMs: clock + 5,
    ...plain,
    ...answered,
    ...attempt,
  };
}

/** A run in which a record is created, changed, read and deleted, and another one created; all is well. */
export function goodRun(): Evidence {
  const attempts = [
    attemptOf({ operation: 'c0-0', verb: 'create', status: 201, seen: [stateOf('a', 1)] }),
    attemptOf({ operation: 'c0-1', verb: 'update', record: 'a', ifVersion: 1, seen: [stateOf('a', 2)] }),
    attemptOf({ operation: 'c0-2', verb: 'get', record: 'a', seen: [stateOf('a', 2)] }),
    attemptOf({ operation: 'c0-3', verb: 'create', status: 201, seen: [stateOf('b', 1)] }),
    attemptOf({ operation: 'c0-4', verb: 'delete', record: 'a', status: 204, isKeyed: false }),
  ];
  const log = [
    eventOf({ position: 1, verb: 'created', subject: 'a', version: 1, requestId: 'c0-0.1' }),
    eventOf({ position: 2, verb: 'updated', subject: 'a', version: 2, requestId: 'c0-1.1' }),
    eventOf({ position: 3, verb: 'created', subject: 'b', version: 1, requestId: 'c0-3.1' }),
    eventOf({ position: 4, verb: 'deleted', subject: 'a', version: 2, requestId: 'c0-4.1' }),
  ];
  const items = log.map(({ position, whole }) => ({ position, whole }));
  return {
    attempts,
    log,
    logRows: log.length,
    adminPositions: new Set(),
    jobs: [],
    tables: { ...forEachCollection((): Seen[] => []), agents: [stateOf('b', 1)] },
    found: new Map(),
    schedules: [],
    followers: [{ name: 'follower', start: 0, items, expiries: [] }],
    told: { start: 0, collection: 'agents', messages: messagesOf(log) },
    faults: [],
    ends: [],
    stuck: [],
  };
}
