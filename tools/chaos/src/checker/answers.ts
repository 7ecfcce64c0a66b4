import type { Attempt } from '../history.ts';
import type { Evidence, Verdict } from './evidence.ts';

/** The errors the workload may get; any other would mean that a fault was taken for the caller's. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'not_found',
  'version_conflict',
  'office_inactive',
  'has_dependents',
  'record_merged',
  // Of an office that is merged into one below it.
  'office_cycle',
  'idempotency_in_progress',
  'reference_not_found',
  // A record that many clients crowd around has the most pending changes.
  'limit_reached',
]);

function faultOf({ status, code = '', hasRetryAfter, isFromService }: Attempt): string | undefined {
  if (status === undefined || status < 400) return undefined;
  if (status < 500) return REJECTIONS.has(code) ? undefined : `${status} ${code}`;
  // What stands before the servers speaks for itself where none of them answers.
  if (isFromService !== true) return undefined;
  if (status !== 503) return `${status} ${code}`;
  return hasRetryAfter === true ? undefined : '503 without Retry-After';
}

/** A service that cannot serve says 503 and when to come back, and nothing else. */
export function checkAnswers({ attempts }: Evidence): Verdict {
  const broken = attempts.flatMap((attempt) => {
    const fault = faultOf(attempt);
    return fault === undefined ? [] : [`${attempt.verb} ${attempt.id} was answered ${fault}`];
  });
  return { promise: 'no answer of the class 5xx but 503 with Retry-After', count: attempts.length, broken };
}

/** No server ends by itself, and everything that was broken comes back. */
export function checkLife({ ends, stuck, attempts }: Evidence): Verdict {
  const count = new Set(attempts.map(({ client }) => client)).size;
  return { promise: 'nothing ends by itself or stays unavailable', count, broken: [...ends, ...stuck] };
}
