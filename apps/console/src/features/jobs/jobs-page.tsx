import { msg } from '@lingui/core/macro';
import type { Job } from '@roster/client';
import { mapResources } from '../../api/contract/contracts.ts';
import { isEnded, pauseMs } from '../../api/jobs.ts';
import { usePages } from '../../api/use-pages.ts';
import { resources } from '../../resources/index.ts';
import { adminTable } from '../../ui/admin/admin-screen.tsx';
import { firstValue } from '../../ui/browser/view-state.ts';
import { ProgressBar } from '../../ui/progress.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { JobStatusBadge, jobTitle, statusWords, wordsOf } from './job-labels.tsx';

const PAGE_SIZE = 50;
const statusLabels = Object.fromEntries(Object.entries(statusWords).map(([id, { label }]) => [id, label]));

export const { List: JobsPage } = adminTable<Job>({
  resource: 'jobs',
  path: '/jobs',
  labels: {
    title: msg`Jobs`,
    description: msg`Bulk changes that run in the background. Finished jobs are kept for a limited time.`,
    empty: msg`No jobs yet. Select records in a list to change many at once.`,
  },
  defaultSort: '-createdAt',
  useList: (_sort, search) => {
    const [status, resource] = [firstValue(search.status), firstValue(search.resource)];
    const query = { limit: PAGE_SIZE, ...(status && { status }), ...(resource && { resource }) };
    return usePages('jobs', 'list', query, {
      refetchMs: (rows, count) => !rows.every(isEnded) && pauseMs(count),
    });
  },
  titleOf: jobTitle,
  name: {
    label: msg`Job`,
    more: ({ reason }) => reason !== null && <p className="text-muted text-xs">{reason}</p>,
  },
  fields: [
    {
      id: 'status',
      label: msg`Status`,
      column: 'always',
      value: (job) => <JobStatusBadge job={job} />,
    },
    {
      id: 'progress',
      label: msg`Progress`,
      column: 'medium',
      value: (job, i18n) =>
        isEnded(job) ? (
          i18n._(wordsOf(job).result(i18n.number(job.changed), i18n.number(job.rejected)))
        ) : (
          <ProgressBar value={job.processed} max={job.total} label={i18n._(msg`Progress`)} />
        ),
    },
    {
      id: 'createdAt',
      label: msg`Started`,
      column: 'medium',
      value: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    { id: 'createdBy', label: msg`By`, column: 'wide', value: ({ createdBy }) => createdBy?.name },
  ],
  filters: [
    { name: 'status', label: msg`Status`, choices: statusLabels },
    { name: 'resource', label: msg`Records`, choices: mapResources((name) => resources[name].labels.many) },
  ],
  actions: [],
});
