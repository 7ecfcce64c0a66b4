import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Job, JobQuery } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { ChoiceFilter } from '../../admin/filters.tsx';
import { isEnded, pauseMs } from '../../api/job-progress.ts';
import { usePages } from '../../api/use-pages.ts';
import { Page } from '../../components/page.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../components/paged-table.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { mapResources } from '../../contract/contracts.ts';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { resources } from '../../resources/index.ts';
import { JobStatusBadge, statusWords, useJobTitle } from './job-labels.tsx';

const PAGE_SIZE = 50;

function useColumns(): Column<Job>[] {
  const { t, i18n } = useLingui();
  const titleOf = useJobTitle();
  return [
    {
      id: 'title',
      label: t`Job`,
      cell: (job) => (
        <>
          <Link to="/jobs/$id" params={{ id: job.id }} className={rowLinkClasses}>
            {titleOf(job)}
          </Link>
          {job.reason !== null && <p className="text-muted text-xs">{job.reason}</p>}
        </>
      ),
    },
    { id: 'status', label: t`Status`, cell: ({ status }) => <JobStatusBadge status={status} /> },
    {
      id: 'progress',
      label: t`Progress`,
      width: 'medium',
      cell: (job) =>
        isEnded(job) ? (
          <Trans>
            {i18n.number(job.changed)} changed, {i18n.number(job.rejected)} not
          </Trans>
        ) : (
          <ProgressBar value={job.processed} max={job.total} label={t`Progress`} />
        ),
    },
    {
      id: 'createdAt',
      label: t`Started`,
      width: 'medium',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    { id: 'createdBy', label: t`By`, width: 'wide', cell: ({ createdBy }) => createdBy?.name ?? '–' },
  ];
}

/** The jobs that the caller may see, the latest first. */
export function JobsPage() {
  const { t } = useLingui();
  const [search] = useViewState();
  const status = firstValue(search.status);
  const resource = firstValue(search.resource);
  const query = { limit: PAGE_SIZE, ...(status && { status }), ...(resource && { resource }) } as JobQuery;
  const pages = usePages('jobs', 'list', query, {
    refetchMs: (rows, count) => !rows.every(isEnded) && pauseMs(count),
  });
  return (
    <Page
      title={t`Jobs`}
      width="table"
      intro={<Trans>Changes to many records, which run in the background. They are kept for 30 days.</Trans>}
    >
      <div className="flex flex-wrap gap-3">
        <ChoiceFilter
          name="status"
          label={msg`Status`}
          choices={Object.fromEntries(Object.entries(statusWords).map(([id, { label }]) => [id, label]))}
        />
        <ChoiceFilter
          name="resource"
          label={msg`Records`}
          choices={mapResources((name) => resources[name].labels.many)}
        />
      </div>
      <PagedTable
        label={t`Jobs`}
        pages={pages}
        columns={useColumns()}
        empty={<Trans>No jobs. Select records in a list to change many at once.</Trans>}
      />
    </Page>
  );
}
