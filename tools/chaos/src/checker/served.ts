import type { Attempt } from '../history.ts';
import type { Evidence, FaultTime, Verdict } from './evidence.ts';

/** How long after a fault what it broke may still show. */
const AFTERMATH_MS = 3_000;
/** Fewer say nothing. */
const ATTEMPTS_MIN = 20;
/** The part of the requests that must be answered, be it with a rejection. */
const SERVED_MIN = 0.95;

/** The time of a fault in which nothing else was broken; it may be none. */
function aloneIn(fault: FaultTime, others: readonly FaultTime[]): Pick<FaultTime, 'startMs' | 'endMs'> {
  const before = others.filter(({ startMs }) => startMs <= fault.startMs);
  const during = others.filter(({ startMs }) => startMs > fault.startMs);
  return {
    startMs: Math.max(fault.startMs, ...before.map(({ endMs }) => endMs + AFTERMATH_MS)),
    endMs: Math.min(fault.endMs, ...during.map(({ startMs }) => startMs)),
  };
}

function isServed({ status }: Attempt): boolean {
  return status !== undefined && status < 500;
}

/** Whether no server has failed: on a busy machine answers are late, and so are those to the checks of a balancer, which then rejects. */
function isUnbroken(attempt: Attempt): boolean {
  const { status, failure, isFromService } = attempt;
  const isLate = status === undefined && failure?.startsWith('no answer') === true;
  return isServed(attempt) || isLate || (status === 503 && isFromService !== true);
}

interface Judged {
  attempts: readonly Attempt[];
  isGood: (attempt: Attempt) => boolean;
  share: number;
}

/** The requests of some spans of time, of which at least a share has to be good. */
function judge(
  promise: string,
  spans: readonly Pick<FaultTime, 'startMs' | 'endMs'>[],
  { attempts, isGood, share }: Judged,
): Verdict {
  let count = 0;
  const broken = spans.flatMap(({ startMs, endMs }) => {
    const made = attempts.filter((attempt) => attempt.startMs >= startMs && attempt.endMs <= endMs);
    const served = made.filter(isGood).length;
    count += made.length;
    if (made.length < ATTEMPTS_MIN || served >= made.length * share) return [];
    const first = made.find((attempt) => !isGood(attempt));
    return [
      `${made.length - served} of ${made.length} requests were not served, the first of them ${first?.id}`,
    ];
  });
  return { promise, count, broken };
}

/** A caller who attacks takes nothing from the others. */
export function checkServed({ attempts, faults }: Evidence): Verdict {
  const attacks = faults.filter(({ kind }) => kind === 'hostile caller');
  const others = faults.filter(({ kind }) => kind !== 'hostile caller');
  const spans = attacks.map((attack) => aloneIn(attack, others));
  return judge('good callers are served while a hostile caller attacks', spans, {
    attempts,
    isGood: isServed,
    share: SERVED_MIN,
  });
}

/** A server that is replaced, by itself or by one of the next release, finishes what it was asked, and is asked for nothing more. */
export function checkReplacements({ attempts, faults }: Evidence): Verdict {
  const isReplacement = ({ kind }: FaultTime) => kind === 'server restarted' || kind === 'server upgraded';
  const spans = faults.filter(isReplacement).map((fault) =>
    aloneIn(
      fault,
      faults.filter((other) => other !== fault),
    ),
  );
  return judge('no request fails while one server is replaced', spans, {
    attempts,
    isGood: isUnbroken,
    share: 1,
  });
}
