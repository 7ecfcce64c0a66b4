import type { Attempt } from '../history.ts';
import type { Evidence, FaultTime, Verdict } from './evidence.ts';

/** How long after a fault what it broke may still show. */
const AFTERMATH_MS = 3_000;
/** Fewer say nothing. */
const ATTEMPTS_MIN = 20;
/** The part of the requests that must be answered, be it with a rejection. */
const SERVED_MIN = 0.95;

/** The time of an attack in which nothing else was broken; it may be none. */
function aloneIn(attack: FaultTime, faults: readonly FaultTime[]): Pick<FaultTime, 'startMs' | 'endMs'> {
  const others = faults.filter((fault) => fault !== attack && fault.kind !== attack.kind);
  const before = others.filter(({ startMs }) => startMs <= attack.startMs);
  const during = others.filter(({ startMs }) => startMs > attack.startMs);
  return {
    startMs: Math.max(attack.startMs, ...before.map(({ endMs }) => endMs + AFTERMATH_MS)),
    endMs: Math.min(attack.endMs, ...during.map(({ startMs }) => startMs)),
  };
}

function isServed({ status }: Attempt): boolean {
  return status !== undefined && status < 500;
}

/** A caller who attacks takes nothing from the others. */
export function checkServed({ attempts, faults }: Evidence): Verdict {
  const attacks = faults
    .filter(({ kind }) => kind === 'hostile caller')
    .map((fault) => aloneIn(fault, faults));
  let count = 0;
  const broken = attacks.flatMap(({ startMs, endMs }) => {
    const made = attempts.filter((attempt) => attempt.startMs >= startMs && attempt.endMs <= endMs);
    const served = made.filter(isServed).length;
    count += made.length;
    if (made.length < ATTEMPTS_MIN || served >= made.length * SERVED_MIN) return [];
    const first = made.find((attempt) => !isServed(attempt));
    return [
      `${made.length - served} of ${made.length} requests were not served, the first of them ${first?.id}`,
    ];
  });
  return { promise: 'good callers are served while a hostile caller attacks', count, broken };
}
