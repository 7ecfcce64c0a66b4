import { type ErrorCode, type Operation, resourceNames } from '@roster/api';

const HIDDEN_REPLAY =
  'a repeated call whose record has left the limit of the caller: packages/api/verify/access/idempotency.test.ts';

const RESTORED =
  'the record is inserted as by a restore, by the same constraints: packages/api/test/merges/merge.test.ts';

/** Error codes without a case of the operations that all resources have, and why. */
const elsewhereOf = (resource: string): [string, string][] => [
  [
    `${resource}.get version_conflict`,
    'a read names a version only in the headers of REST (conditions.rest.test.ts)',
  ],
  [`${resource}.unmerge reference_not_found`, RESTORED],
  [`${resource}.create not_found`, HIDDEN_REPLAY],
  [`imports.${resource} not_found`, HIDDEN_REPLAY],
  [`${resource}.bulk not_found`, HIDDEN_REPLAY],
];

/** Error codes without a case, and why. */
const elsewhere: Partial<Record<ErrorCode | `${string} ${ErrorCode}`, string>> = {
  version_required: 'tested with a service that requires versions, below',
  idempotency_key_reused: 'tested with repeated calls, below',
  idempotency_in_progress: 'requires two concurrent requests',
  test_in_progress: "requires two concurrent requests; tested by the server's tests",
  too_many_agents: "requires 100,001 agents; tested by the server's tests",
  setting_fixed: 'requires a service whose environment sets it; tested in packages/api/test/resources',
  last_admin: "requires the session of a person; tested by the server's tests",
  change_finished: 'requires a worker with another clock; tested by the tests of packages/api',
  limit_reached: "requires the maximum number of webhooks or jobs; tested by the server's tests",
  job_not_finished: 'requires a job that runs; tested in packages/api/test/jobs',
  record_merged: 'tested of merges, and of what else finds records in packages/api/test/merges',
  ...Object.fromEntries(resourceNames.flatMap(elsewhereOf)),
  'imports.upload not_found': HIDDEN_REPLAY,
  'people.invite not_found': HIDDEN_REPLAY,
  'settings.update not_found': HIDDEN_REPLAY,
  'views.create not_found': HIDDEN_REPLAY,
  'views.get version_conflict':
    'a read names a version only in the headers of REST (conditions.rest.test.ts)',
  'offices.unmerge office_cycle': RESTORED,
  'agents.unmerge email_taken': RESTORED,
  'agents.unmerge office_inactive': RESTORED,
  'offices.restore office_cycle': 'nothing can refer to a deleted office, so restoring one closes no cycle',
};

/** Whether an error code of an operation needs no case. */
export function isElsewhere({ procedure }: Operation, code: ErrorCode): boolean {
  return elsewhere[code] !== undefined || elsewhere[`${procedure} ${code}`] !== undefined;
}
