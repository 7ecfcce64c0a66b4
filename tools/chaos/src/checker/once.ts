import { type Attempt, isDone, isUnknown, isWrite } from '../history.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { operationOf } from './timeline.ts';

/** No operation happens twice, however often it was asked for; what was rejected does not happen at all. */
export function checkOnce({ attempts, log }: Evidence): Verdict {
  const asked = new Map<string, Attempt>();
  for (const attempt of attempts) if (isWrite(attempt)) asked.set(attempt.id, attempt);
  const broken: string[] = [];
  const happened = new Set<string>();
  for (const { position, verb, subject, requestId, scheduledChange, bulkId, merge } of log) {
    // No request makes it (`checkSchedules`, `checkJobs`).
    if (scheduledChange !== undefined || bulkId !== null) continue;
    const attempt = asked.get(requestId ?? '');
    if (attempt === undefined) {
      broken.push(
        `event ${position} (${verb} ${subject}) comes of a request that was never sent: ${requestId}`,
      );
    } else if (!isDone(attempt) && !isUnknown(attempt)) {
      broken.push(`event ${position}: ${attempt.id} was rejected (${attempt.code}), and was done`);
    } else if (attempt.code === 'timeout') {
      broken.push(`event ${position}: ${attempt.id} timed out in the database, and was done`);
    }
    // Records that a merge or its undo changes for the sake of others may have more than one event of it.
    if (merge !== undefined && verb === 'updated') continue;
    // Only these change more than one record, each of them once: with an office its agents are deactivated, one who is deleted leaves
    // the teams, and a merge has events of both.
    const isOfOthers =
      verb === 'deactivated' || merge !== undefined || (verb === 'updated' && attempt?.verb === 'delete');
    const once = `${operationOf(requestId)} ${isOfOthers ? `${verb} ${subject}` : ''}`;
    if (happened.has(once)) broken.push(`event ${position}: ${operationOf(requestId)} was done twice`);
    happened.add(once);
  }
  const operations = new Set([...asked.values()].map(({ operation }) => operation));
  return { promise: 'no write happens twice, no rejected one at all', count: operations.size, broken };
}
