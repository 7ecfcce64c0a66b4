import { isDone, operationOf } from '../history.ts';
import type { Evidence, Finding } from './evidence.ts';

/** A change that names a version is applied to that version or rejected, and rejected only if there is another. */
export function* checkConditions({ attempts, log }: Evidence): Iterable<Finding> {
  const lives = Map.groupBy(log, ({ subject }) => subject);
  for (const attempt of attempts) {
    const { id, operation, record = '', ifVersion, status, currentVersion } = attempt;
    if (ifVersion === undefined) continue;
    const what = `${id} (If-Match ${ifVersion})`;
    const life = lives.get(record) ?? [];
    const made = life.findIndex(({ requestId }) => operationOf(requestId) === operation);
    const before = life[made - 1]?.version;
    if (status === 412 && currentVersion === ifVersion)
      yield `${what} was rejected though the record has version ${ifVersion}`;
    else if (isDone(attempt) && before !== ifVersion)
      yield `${what} was done to version ${before ?? 'unknown'}`;
    else yield undefined;
  }
}
