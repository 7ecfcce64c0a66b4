import type { Evidence, Finding, LogEvent } from './evidence.ts';

/** What may follow what in the life of a record. */
function findFault(event: LogEvent, before: LogEvent | undefined): string | undefined {
  const { verb, version } = event;
  if (before === undefined) {
    const isBeginning = verb === 'created' && version === 1;
    return isBeginning ? undefined : `its life begins with ${verb}, version ${version}`;
  }
  if (verb === 'created') return 'it is created twice';
  const isGone = before.verb === 'deleted';
  if (isGone !== (verb === 'restored')) return `${verb} follows ${before.verb}`;
  const expected = verb === 'deleted' ? before.version : before.version + 1;
  if (version !== expected) return `version ${version} follows version ${before.version} (${verb})`;
  // A restored record is the deleted one but for its version and its time.
  const isChained = verb === 'restored' || event.before === before.digest;
  return isChained ? undefined : `version ${version} was made of another state than the one before it`;
}

/** The versions of each record have no gaps and no branches: each was made of the one before it. */
export function* checkVersions({ log }: Evidence): Iterable<Finding> {
  const last = new Map<string, LogEvent>();
  for (const event of log) {
    const fault = findFault(event, last.get(event.subject));
    yield fault && `${event.subject}, event ${event.position}: ${fault}`;
    last.set(event.subject, event);
  }
}
