import type { Attempt } from '../history.ts';
import type { Evidence, Finding } from './evidence.ts';

/** How long after a fault what it broke may still show. */
const AFTERMATH_MS = 3_000;
/** Fewer say nothing. */
const ATTEMPTS_MIN = 20;
/** The part of the requests that must be answered, be it with a rejection. */
const SERVED_MIN = 0.95;

function isServed({ status }: Attempt): boolean {
  return status !== undefined && status < 500;
}

/** Whether no server has failed: on a busy machine answers are late, and so are those to the checks of a balancer, which then rejects. */
function isUnbroken(attempt: Attempt): boolean {
  const { status, failure, isFromService } = attempt;
  const isLate = status === undefined && failure?.startsWith('no response') === true;
  return isServed(attempt) || isLate || (status === 503 && !isFromService);
}

interface Standard {
  kinds: readonly string[];
  /** Those whose time does not count. */
  others: Evidence['faults'];
  isGood: (attempt: Attempt) => boolean;
  /** The part of the attempts that must be good. */
  share: number;
}

/** Holds the attempts in the time of each fault of some kinds in which no other was there, or has just been, against a standard. */
function* judge(
  { attempts, faults }: Evidence,
  { kinds, others, isGood, share }: Standard,
): Iterable<Finding> {
  for (const fault of faults.filter(({ kind }) => kinds.includes(kind))) {
    const before = others.filter((other) => other !== fault && other.startMs <= fault.startMs);
    const during = others.filter((other) => other !== fault && other.startMs > fault.startMs);
    const fromMs = Math.max(fault.startMs, ...before.map(({ endMs }) => endMs + AFTERMATH_MS));
    const toMs = Math.min(fault.endMs, ...during.map(({ startMs }) => startMs));
    const made = attempts.filter(({ startMs, endMs }) => startMs >= fromMs && endMs <= toMs);
    const bad = made.filter((attempt) => !isGood(attempt));
    yield* made.map(() => undefined);
    if (made.length >= ATTEMPTS_MIN && made.length - bad.length < made.length * share)
      yield `${bad.length} of ${made.length} requests were not served, the first of them ${bad[0]?.id}`;
  }
}

/** A caller who attacks takes nothing from the others. */
export function checkServed(evidence: Evidence): Iterable<Finding> {
  const others = evidence.faults.filter(({ kind }) => kind !== 'hostile caller');
  return judge(evidence, { kinds: ['hostile caller'], others, isGood: isServed, share: SERVED_MIN });
}

/** A server that is replaced, by itself or by one of the next release, finishes what it was asked, and is asked for nothing more. */
export function checkReplacements(evidence: Evidence): Iterable<Finding> {
  const kinds = ['server restarted', 'server upgraded'];
  return judge(evidence, { kinds, others: evidence.faults, isGood: isUnbroken, share: 1 });
}
