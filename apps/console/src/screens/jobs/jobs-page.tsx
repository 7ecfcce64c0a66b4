import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { roster } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { resourceNames } from '../../contract/contracts.ts';
import type { SearchParams } from '../../page/search-params.ts';
import { resources } from '../../resources/index.ts';
import { isEnded, JobStatusBadge, pauseMs, statusWords, useJobTitle } from './job-labels.tsx';

const PAGE_SIZE = 50;

function jobsQuery(search: SearchParams) {
  return infiniteQueryOptions({
    queryKey: ['jobs', 'list', search] as const,
    queryFn: ({ pageParam, signal }) =>
      roster.jobs.list.query(
        { ...search, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) } as object,
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.pages.some(({ items }) => items.some((job) => !isEnded(job))) ? pauseMs(dataUpdateCount) : false,
  });
}

function JobRow({ job }: { job: Job }) {
  const { t, i18n } = useLingui();
  const titleOf = useJobTitle();
  const { id, total, processed, rejected, createdAt, createdBy } = job;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-line border-b py-3 sm:grid-cols-[1fr_12rem_12rem]">
      <div className="min-w-0">
        <Link to="/jobs/$id" params={{ id }} className="font-medium text-accent underline">
          {titleOf(job)}
        </Link>
        <p className="text-muted text-xs">
          <RelativeTime time={createdAt} />
          {createdBy?.name != null && ` · ${createdBy.name}`}
          {job.reason !== null && ` · ${job.reason}`}
        </p>
      </div>
      <div className="justify-self-end sm:justify-self-start">
        <JobStatusBadge status={job.status} />
      </div>
      <div className="col-span-full text-muted text-xs tabular-nums sm:col-span-1">
        {isEnded(job) ? (
          <Trans>
            {i18n.number(job.changed)} changed, {i18n.number(rejected)} not
          </Trans>
        ) : (
          <ProgressBar value={processed} max={total} label={t`Progress`} />
        )}
      </div>
    </li>
  );
}

const textOf = (value: string | string[] | undefined) => [value ?? ''].flat()[0];

/** The jobs that the caller may see, the latest first. */
export function JobsPage() {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const jobs = useInfiniteQuery(jobsQuery(search));
  const all = jobs.data?.pages.flatMap(({ items }) => items) ?? [];
  const filterBy = (name: string, value: string) =>
    void navigate({ to: '/jobs', search: { ...search, [name]: value === '' ? undefined : value } });
  return (
    <Page
      title={t`Jobs`}
      intro={<Trans>Changes of many records, which run in the background. They are kept for 30 days.</Trans>}
    >
      <div className="grid max-w-md grid-cols-2 gap-3">
        <SelectField
          label={t`Status`}
          value={textOf(search.status)}
          onChange={(event) => filterBy('status', event.target.value)}
        >
          <option value="">{t`Any`}</option>
          {Object.entries(statusWords).map(([status, { label }]) => (
            <option key={status} value={status}>
              {t(label)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t`Records`}
          value={textOf(search.resource)}
          onChange={(event) => filterBy('resource', event.target.value)}
        >
          <option value="">{t`All kinds`}</option>
          {resourceNames.map((name) => (
            <option key={name} value={name}>
              {t(resources[name].labels.many)}
            </option>
          ))}
        </SelectField>
      </div>
      {jobs.isError && <ErrorBox error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isSuccess && all.length === 0 && (
        <p className="rounded-lg border border-line bg-surface p-6 text-center text-muted">
          <Trans>No jobs. Select records in a list to change many at once.</Trans>
        </p>
      )}
      <ul>
        {all.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      {jobs.hasNextPage && (
        <Button
          className="self-start"
          disabled={jobs.isFetchingNextPage}
          onClick={() => void jobs.fetchNextPage()}
        >
          <Trans>Show more</Trans>
        </Button>
      )}
    </Page>
  );
}
