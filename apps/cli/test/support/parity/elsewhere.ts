import { type ErrorCode, type Operation, resourceNames } from '@roster/api';

const RESTORED =
  'the record is inserted as by a restore, by the same constraints: packages/api/src/duplicates/merges/merge.test.ts';

const READ = 'a read names a version only in the headers of REST (conditions.rest.test.ts)';

/** Error codes without a case, and why. */
const elsewhere: Partial<Record<ErrorCode | `${string} ${ErrorCode}`, string>> = {
  version_required: 'tested with a service that requires versions, below',
  idempotency_key_reused: 'tested with repeated calls, below',
  idempotency_in_progress: 'requires two concurrent requests',
  test_in_progress: "requires two concurrent requests; tested by the server's tests",
  too_many_agents: "requires 100,001 agents; tested by the server's tests",
  setting_fixed: 'requires a service whose environment sets it; tested in packages/api/src/engine/write',
  last_admin: "requires the session of a person; tested by the server's tests",
  change_finished: 'requires a worker with another clock; tested by the tests of packages/api',
  limit_reached: "requires the maximum number of webhooks or jobs; tested by the server's tests",
  job_not_finished: 'requires a job that runs; tested in packages/api/src/jobs',
  record_merged: 'tested of merges, and of what else finds records in packages/api/src/duplicates/merges',
  ...Object.fromEntries(
    resourceNames.flatMap((resource) => [
      [`${resource}.get version_conflict`, READ],
      [`${resource}.unmerge reference_not_found`, RESTORED],
      [`${resource}.unmerge source_taken`, RESTORED],
    ]),
  ),
  'views.get version_conflict': READ,
  'offices.unmerge office_cycle': RESTORED,
  'agents.unmerge email_taken': RESTORED,
  'agents.unmerge office_inactive': RESTORED,
  'offices.restore office_cycle': 'nothing can refer to a deleted office, so restoring one closes no cycle',
};

/** Whether an error code of an operation needs no case. */
export function isElsewhere({ procedure, pathParameters }: Operation, code: ErrorCode): boolean {
  // Without a record in its path, only a repeated call finds none: if its record has left the limit of the caller, of which
  // packages/api/src/trpc/idempotency.slow.test.ts is.
  const isReplay = code === 'not_found' && !pathParameters.includes('id');
  return isReplay || elsewhere[code] !== undefined || elsewhere[`${procedure} ${code}`] !== undefined;
}
