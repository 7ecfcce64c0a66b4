import { expect, it } from 'vitest';
import type { MadeFault } from '../../faults/faults.ts';
import type { Attempt } from '../../history.ts';
import type { Evidence, LogEvent, Schedule } from '../evidence.ts';
import { attemptOf, eventOf, found, goodRun, stateOf } from './forged.ts';

const LOST = 'no acknowledged write is lost';
const TWICE = 'no write happens twice, no rejected one at all';
const LINEAR = 'the versions of each record are gapless and linear';
const FRESH = 'every read sees what was answered before it began';
const CONFLICTS = 'conflicts of If-Match are true ones';
const COMPLETE = 'the log is complete and in order';
const TABLES = 'the log applied from its start equals the tables';
const FOLLOWED = 'a follower of the stream misses nothing, and never moves back';
const TOLD = 'webhooks receive every event, signed, in order';
const RESPONSES = 'no response of the class 5xx but 503 with Retry-After';
const SERVED = 'good callers are served while a hostile caller attacks';
const REPLACED = 'no request fails while one server is replaced';
const SCHEDULED = 'each scheduled change happens once, or fails visibly';
const LIFE = 'nothing ends by itself or stays unavailable';

/** The run with another log, whose positions start again. */
function withLog(run: Evidence, log: LogEvent[]): Evidence {
  return { ...run, log: log.map((event, index) => ({ ...event, position: index + 1 })), logRows: log.length };
}

function without(run: Evidence, requestId: string): Evidence {
  return withLog(
    run,
    run.log.filter((event) => event.requestId !== requestId),
  );
}

function changed(run: Evidence, operation: string, change: Partial<Attempt>): Evidence {
  const attempts = run.attempts.map((attempt) =>
    attempt.operation === operation ? { ...attempt, ...change } : attempt,
  );
  return { ...run, attempts };
}

it('finds nothing where all is well', () => {
  expect(found(goodRun())).toEqual({});
});

it.each(['c0-0', 'c0-1', 'c0-3', 'c0-4'])('finds that the acknowledged write %s is lost', (operation) => {
  expect(found(without(goodRun(), `${operation}.1`))[LOST]).toEqual([expect.stringContaining(operation)]);
});

it('finds an acknowledged write whose record is another one than was answered', () => {
  const run = changed(goodRun(), 'c0-3', { seen: [{ ...stateOf('b', 1), digest: 'other' }] });
  expect(found(run)[LOST]).toEqual([expect.stringContaining('c0-3.1')]);
});

it('finds a transition that was acknowledged and neither happened nor was in place', () => {
  const run = goodRun();
  const transition = attemptOf({
    operation: 'c0-9',
    verb: 'deactivate',
    record: 'b',
    seen: [stateOf('b', 1)],
  });
  expect(found({ ...run, attempts: [...run.attempts, transition] })[LOST]).toEqual([
    expect.stringContaining('c0-9.1'),
  ]);
});

it('takes a write of unknown outcome either way, but not twice', () => {
  const unknown = changed(goodRun(), 'c0-3', { status: 503, hasRetryAfter: true, seen: [] });
  expect(found(unknown)).toEqual({});
  const run = goodRun();
  const again = eventOf({ position: 5, verb: 'created', subject: 'c', version: 1, requestId: 'c0-3.2' });
  const second = {
    ...attemptOf({ operation: 'c0-3', verb: 'create', seen: [stateOf('c', 1)] }),
    id: 'c0-3.2',
  };
  const doubled = withLog({ ...run, attempts: [...run.attempts, second] }, [...run.log, again]);
  expect(found(doubled)[TWICE]).toEqual(['event 5: c0-3 was done twice']);
});

it('finds a keyed change that was made twice to its record', () => {
  const run = goodRun();
  const again = eventOf({ position: 5, verb: 'updated', subject: 'b', version: 2, requestId: 'c0-3.1' });
  expect(found(withLog(run, [...run.log, again]))[TWICE]).toEqual(['event 5: c0-3 was done twice']);
});

it('finds what was rejected and happened, what timed out and happened, and what was never requested', () => {
  const rejected = changed(goodRun(), 'c0-1', { status: 404, code: 'not_found', seen: [] });
  expect(found(rejected)[TWICE]).toEqual([expect.stringContaining('was rejected (not_found), and was done')]);
  const late = changed(goodRun(), 'c0-1', { status: 503, code: 'timeout', hasRetryAfter: true, seen: [] });
  expect(found(late)[TWICE]).toEqual([expect.stringContaining('timed out in the database, and was done')]);
  const run = goodRun();
  const stray = eventOf({ position: 5, verb: 'updated', subject: 'b', version: 2, requestId: 'x.1' });
  expect(found(withLog(run, [...run.log, stray]))[TWICE]).toEqual([
    expect.stringContaining('was never sent'),
  ]);
});

it('finds a gap in the versions of a record, and a branch', () => {
  const run = goodRun();
  const gap = eventOf({ position: 5, verb: 'updated', subject: 'b', version: 3, requestId: 'c0-3.1' });
  expect(found(withLog(run, [...run.log, gap]))[LINEAR]).toEqual([
    'b, event 5: version 3 follows version 1 (updated)',
  ]);
  const branch = { ...eventOf({ ...gap, version: 2 }), before: 'another state' };
  expect(found(withLog(run, [...run.log, branch]))[LINEAR]).toEqual([
    'b, event 5: version 2 was made of another state than the one before it',
  ]);
});

it('finds events of a record in another order', () => {
  const { log, ...run } = goodRun();
  const [first, second, ...others] = log as [LogEvent, LogEvent];
  const reordered = withLog({ ...run, log }, [second, first, ...others]);
  expect(found(reordered)[LINEAR]).toContain('a, event 1: its life begins with updated, version 2');
});

it('finds a read that is older than what anybody was answered', () => {
  const old = changed(goodRun(), 'c0-2', { client: 1, seen: [stateOf('a', 1)] });
  expect(found(old)[FRESH]).toEqual([expect.stringContaining('state 1 had been answered before')]);
});

it('finds a read of a state that never was, and of one that no request had made yet', () => {
  const never = changed(goodRun(), 'c0-2', { seen: [stateOf('a', 7)] });
  expect(found(never)[FRESH]).toEqual([expect.stringContaining('the log has no such state')]);
  const early = changed(goodRun(), 'c0-2', { startMs: 1, endMs: 2, client: 1 });
  expect(found(early)[FRESH]).toContainEqual(expect.stringContaining('before anybody asked for it'));
});

it('finds a record that was said to be gone while it was there', () => {
  const gone = changed(goodRun(), 'c0-2', { status: 404, code: 'not_found', seen: [], endMs: 1e9 });
  expect(found(gone)).toEqual({});
  const run = goodRun();
  const missing = attemptOf({ operation: 'c0-9', verb: 'get', record: 'b', status: 404, code: 'not_found' });
  expect(found({ ...run, attempts: [...run.attempts, missing] })[FRESH]).toEqual([
    expect.stringContaining('saw that it is gone, but the log has no such state'),
  ]);
});

it('finds a conflict that was none, and a change made to another version than it named', () => {
  const code = 'version_conflict';
  const needless = changed(goodRun(), 'c0-1', {
    status: 412,
    code,
    currentVersion: 1,
    seen: [],
  });
  expect(found(needless)[CONFLICTS]).toEqual([
    'c0-1.1 (If-Match 1) was rejected though the record has version 1',
  ]);
  expect(found(changed(goodRun(), 'c0-1', { ifVersion: 5 }))[CONFLICTS]).toEqual([
    'c0-1.1 (If-Match 5) was done to version 1',
  ]);
});

it('finds a gap in the positions, events out of order, and events that the feed does not show', () => {
  const run = goodRun();
  const log = run.log.map((event) => (event.position === 4 ? { ...event, position: 5 } : event));
  expect(found({ ...run, log })[COMPLETE]).toEqual(['position 5 follows 3']);
  expect(found({ ...run, log: run.log.toReversed() })[COMPLETE]).toContain('position 3 follows 4');
  expect(found({ ...run, logRows: 5 })[COMPLETE]).toEqual(['the table holds 5 events, the feed 4']);
});

it('finds what the tables hold and the log does not, the other way round, and where they differ', () => {
  const run = goodRun();
  const tables = (...agents: ReturnType<typeof stateOf>[]) => ({ ...run, tables: { ...run.tables, agents } });
  expect(found(tables())[TABLES]).toEqual(['the log holds b, agents do not']);
  expect(found(tables(stateOf('b', 2)))[TABLES]).toEqual(['agents and the log differ in b']);
  expect(found(tables(stateOf('b', 1), stateOf('a', 2)))[TABLES]).toEqual([
    'agents hold a, the log does not',
  ]);
});

it('finds a follower that missed an event, moved back, saw another one, or was disconnected', () => {
  const run = goodRun();
  const [follower] = run.followers;
  if (follower === undefined) throw new Error('the run has a follower');
  const brought = (change: object) => found({ ...run, followers: [{ ...follower, ...change }] })[FOLLOWED];
  const [first, second, third, fourth] = follower.items;
  expect(brought({ items: [first, third, fourth] })).toEqual(['follower was brought 3 after 1']);
  expect(brought({ items: [first, second, first, second, third, fourth] })).toContain(
    'follower was brought 1 after 2',
  );
  expect(brought({ items: [first, second] })).toEqual(['follower ended at 2 of 4']);
  const other = { ...second, whole: 'another' };
  expect(brought({ items: [first, other, third, fourth] })).toEqual([
    'follower saw another event at 2 than the log has',
  ]);
  expect(brought({ expiries: ['position 2'] })).toHaveLength(1);
});

it('finds an event that no webhook received, one received out of order, and a signature that is none', () => {
  const run = goodRun();
  const { messages } = run.told;
  const told = (change: typeof messages) => found({ ...run, told: { ...run.told, messages: change } })[TOLD];
  expect(told(messages.slice(1))).toEqual(['event 1 was never delivered']);
  const [first, second, ...others] = messages;
  if (first === undefined || second === undefined) throw new Error('the run has messages');
  expect(told([second, first, ...others])).toEqual(['event 1 of a was delivered after 2']);
  expect(told([{ ...first, isVerified: false }, second, ...others])).toHaveLength(1);
  expect(told([{ ...first, isTaken: false }, first, second, ...others])).toBeUndefined();
  expect(told([{ ...first, whole: 'another' }, second, ...others])).toHaveLength(1);
});

it.each([
  [{ status: 500, code: 'internal', isFromService: true }, 1],
  [{ status: 401, code: 'unauthenticated', isFromService: true }, 1],
  [{ status: 503, code: 'unavailable', isFromService: true, hasRetryAfter: false }, 1],
  [{ status: 503, code: 'unavailable', isFromService: true, hasRetryAfter: true }, 0],
  [{ status: 502, isFromService: false }, 0],
])('takes %o for %d broken promises', (response, count) => {
  const run = goodRun();
  const attempt = attemptOf({ operation: 'c0-9', verb: 'list', ...response });
  expect(found({ ...run, attempts: [...run.attempts, attempt] })[RESPONSES] ?? []).toHaveLength(count);
});

const FAULT: MadeFault = {
  number: 1,
  kind: 'hostile caller',
  startMs: 0,
  endMs: 1,
  what: 'wrong keys',
  isWhole: true,
};

it('finds a server that ended by itself, and a fault that did not end', () => {
  const faults = [FAULT, { ...FAULT, number: 2, what: 'no server responds', isWhole: false }];
  const lasting = ['server 0 ended by itself (1)', 'not every delivery was made'];
  expect(found({ ...goodRun(), faults, lasting })[LIFE]).toEqual([
    'fault 2 (hostile caller): no server responds',
    ...lasting,
  ]);
});

it('finds who was not served while a hostile caller attacked, or a server was replaced, and nothing else was broken', () => {
  const run = goodRun();
  const reads = Array.from({ length: 40 }, (_, number) => {
    const attempt = attemptOf({
      operation: `c1-${number}`,
      verb: 'get',
      record: 'b',
      seen: [stateOf('b', 1)],
    });
    return number % 10 === 9
      ? { ...attempt, status: 503, isFromService: true, hasRetryAfter: true, seen: [] }
      : attempt;
  });
  const [first, last] = [reads[0]?.startMs ?? 0, reads.at(-1)?.endMs ?? 0];
  const attack = { ...FAULT, startMs: first, endMs: last };
  const attacked = { ...run, attempts: [...run.attempts, ...reads], faults: [attack] };
  expect(found(attacked)[SERVED]).toEqual(['4 of 40 requests were not served, the first of them c1-9.1']);
  const other: MadeFault = { ...attack, kind: 'PostgreSQL killed', startMs: first - 100, endMs: first - 50 };
  expect(found({ ...attacked, faults: [other, attack] })).toEqual({});
  const upgrade: MadeFault = { ...attack, kind: 'server upgraded' };
  const failed = '4 of 40 requests were not served, the first of them c1-9.1';
  expect(found({ ...attacked, faults: [upgrade] })).toEqual({ [REPLACED]: [failed] });
  const beside: MadeFault = { ...upgrade, kind: 'server restarted' };
  expect(found({ ...attacked, faults: [upgrade, beside, other] })).toEqual({});
});

/** The run with scheduled changes of the record b, and the events of their ends in this order. */
function withSchedules(schedules: Partial<Schedule>[], runs: Partial<LogEvent>[]): Evidence {
  const run = goodRun();
  const events = runs.map((event, index) => ({
    ...eventOf({ position: 0, verb: 'updated', subject: 'b', version: index + 2, requestId: null }),
    occurredAtMs: Date.parse('2026-03-01T00:00:00Z'),
    ...event,
  }));
  const planned = schedules.map((schedule, index) => ({
    id: `s${index}`,
    subject: 'b',
    effectiveAt: '2026-02-01T00:00:00.000Z',
    status: 'done' as const,
    ...schedule,
  }));
  return { ...withLog(run, [...run.log, ...events]), schedules: planned };
}

it('finds nothing where scheduled changes happened, failed or were cancelled', () => {
  const run = withSchedules(
    [{}, { status: 'failed' }, { status: 'cancelled' }],
    [{ scheduledChange: 's0' }, { scheduledChange: 's1', verb: 'change_failed' }],
  );
  expect(found(run)[SCHEDULED]).toBeUndefined();
  expect(found(run)[TWICE]).toBeUndefined();
});

it.each<[string, Partial<Schedule>[], Partial<LogEvent>[]]>([
  ['never happened', [{ status: 'pending' }], []],
  ['happened without an event', [{}], []],
  ['happened twice', [{}], [{ scheduledChange: 's0' }, { scheduledChange: 's0' }]],
  ['happened though it was cancelled', [{ status: 'cancelled' }], [{ scheduledChange: 's0' }]],
  ['failed without saying so', [{ status: 'failed' }], [{ scheduledChange: 's0' }]],
  ['happened before its time', [{}], [{ scheduledChange: 's0', occurredAtMs: 0 }]],
  [
    'happened after a later one',
    [{ effectiveAt: '2026-02-02T00:00:00.000Z' }, {}],
    [{ scheduledChange: 's0' }, { scheduledChange: 's1' }],
  ],
  ['is not in the list', [], [{ scheduledChange: 's0' }]],
])('finds a scheduled change that %s', (_, schedules, runs) => {
  expect(found(withSchedules(schedules, runs))[SCHEDULED]).toHaveLength(1);
});
