import { isDone, isUnknown, isWrite, operationOf } from '../history.ts';
import type { Evidence, Finding } from './evidence.ts';

/** No operation happens twice, however often it was asked for; what was rejected does not happen at all. */
export function* checkOnce({ attempts, log }: Evidence): Iterable<Finding> {
  const asked = new Map(attempts.filter(isWrite).map((attempt) => [attempt.id, attempt]));
  const happened = new Set<string>();
  for (const { position, verb, subject, requestId, scheduledChange, bulkId, merge } of log) {
    // No request makes it (`checkSchedules`, `checkJobs`).
    if (scheduledChange !== undefined || bulkId !== undefined) continue;
    const attempt = asked.get(requestId ?? '');
    if (attempt === undefined)
      yield `event ${position} (${verb} ${subject}) comes of a request that was never sent: ${requestId}`;
    else if (!isDone(attempt) && !isUnknown(attempt))
      yield `event ${position}: ${attempt.id} was rejected (${attempt.code}), and was done`;
    else if (attempt.code === 'timeout')
      yield `event ${position}: ${attempt.id} timed out in the database, and was done`;
    // Records that a merge or its undo changes for the sake of others may have more than one event of it.
    if (merge !== undefined && verb === 'updated') continue;
    // Only these change more than one record, each of them once: with an office its agents are deactivated, one who is deleted leaves
    // the teams, and a merge has events of both.
    const isOfOthers =
      verb === 'deactivated' || merge !== undefined || (verb === 'updated' && attempt?.verb === 'delete');
    const operation = operationOf(requestId);
    const once = `${operation} ${isOfOthers ? `${verb} ${subject}` : ''}`;
    yield happened.has(once) ? `event ${position}: ${operation} was done twice` : undefined;
    happened.add(once);
  }
}
