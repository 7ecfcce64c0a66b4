import type { Evidence, LogEvent, Verdict } from './evidence.ts';
import { timelinesOf } from './timeline.ts';

/** What may follow what in the life of a record. */
function faultOf(event: LogEvent, before: LogEvent | undefined): string | undefined {
  const { verb, version } = event;
  if (before === undefined) {
    return verb === 'created' && version === 1
      ? undefined
      : `its life begins with ${verb}, version ${version}`;
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
export function checkVersions({ log }: Evidence): Verdict {
  const broken: string[] = [];
  for (const [record, { states }] of timelinesOf(log)) {
    for (const [index, { event }] of states.entries()) {
      const fault = faultOf(event, states[index - 1]?.event);
      if (fault !== undefined) broken.push(`${record}, event ${event.position}: ${fault}`);
    }
  }
  return { promise: 'the versions of each record are gapless and linear', count: log.length, broken };
}
