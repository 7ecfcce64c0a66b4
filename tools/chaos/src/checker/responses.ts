import type { Attempt } from '../history.ts';
import type { Evidence, Finding } from './evidence.ts';

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

function findFault({
  status = 0,
  code = '',
  hasRetryAfter,
  isFromService,
  verb,
  isKeyed,
}: Attempt): string | undefined {
  if (status < 400) return undefined;
  if (status < 500) return REJECTIONS.has(code) ? undefined : `${status} ${code}`;
  // What stands before the servers speaks for itself where none of them answers.
  if (!isFromService) return undefined;
  if (status !== 503) return `${status} ${code}`;
  // A change that may have been made must not be repeated without an Idempotency-Key.
  const mayBeMade = code === 'unavailable' && verb !== 'get' && verb !== 'list' && !isKeyed;
  return hasRetryAfter || mayBeMade ? undefined : '503 without Retry-After';
}

/** A service that cannot serve says 503 and when to come back, and nothing else. */
export function* checkResponses({ attempts }: Evidence): Iterable<Finding> {
  for (const attempt of attempts) {
    const fault = findFault(attempt);
    yield fault && `${attempt.verb} ${attempt.id} was answered ${fault}`;
  }
}

/** No server ends by itself, and everything that was broken comes back. */
export function* checkLife({ faults, lasting }: Evidence): Iterable<Finding> {
  for (const { number, kind, what, isWhole } of faults)
    yield isWhole ? undefined : `fault ${number} (${kind}): ${what}`;
  yield* lasting;
}
