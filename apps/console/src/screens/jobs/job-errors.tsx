import { Trans, useLingui } from '@lingui/react/macro';
import type { Job, JobError } from '@roster/client';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { roster } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { RecordLink } from '../../components/record-name.tsx';

const PAGE_SIZE = 50;

/** The errors of a job in pages. Its count is in the key: while a job runs, there come to be more. */
function errorsQuery({ id, rejected }: Job) {
  return infiniteQueryOptions({
    queryKey: ['jobs', 'errors', id, rejected] as const,
    queryFn: ({ pageParam, signal }) =>
      roster.jobs.errors.query(
        { id, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

function ErrorRows({ resource, errors }: { resource: Job['resource']; errors: readonly JobError[] }) {
  return errors.map(({ id, code, detail }) => (
    <tr key={id} className="border-line border-t align-top">
      <th scope="row" className="py-2 pe-4 text-start font-normal">
        <RecordLink resource={resource} id={id} />
      </th>
      <td className="py-2 pe-4">{detail}</td>
      <td className="hidden py-2 font-mono text-muted text-xs sm:table-cell">{code}</td>
    </tr>
  ));
}

/** The records that a job could not change, each with the reason and a link to it. */
export function JobErrors({ job }: { job: Job }) {
  const { i18n } = useLingui();
  const errors = useInfiniteQuery({
    ...errorsQuery(job),
    enabled: job.rejected > 0,
    placeholderData: (before) => before,
  });
  if (job.rejected === 0) return null;
  const pages = errors.data?.pages ?? [];
  return (
    <section aria-labelledby="job-errors" className="flex flex-col gap-2">
      <h2 id="job-errors" className="font-semibold">
        {job.undoes === null ? (
          <Trans>Records that could not be changed</Trans>
        ) : (
          <Trans>What could not be undone</Trans>
        )}{' '}
        <span className="font-normal text-muted">{i18n.number(job.rejected)}</span>
      </h2>
      {errors.isError && <ErrorBox error={errors.error} onRetry={() => void errors.refetch()} />}
      <div className="overflow-x-auto">
        <table className="w-full min-w-72 text-sm">
          <thead className="text-muted text-xs">
            <tr>
              <th scope="col" className="py-1 pe-4 text-start font-medium">
                <Trans>Record</Trans>
              </th>
              <th scope="col" className="py-1 pe-4 text-start font-medium">
                <Trans>Why</Trans>
              </th>
              <th scope="col" className="hidden py-1 text-start font-medium sm:table-cell">
                <Trans>Code</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {pages.map(({ items }) => (
              <ErrorRows key={items[0]?.id} resource={job.resource} errors={items} />
            ))}
          </tbody>
        </table>
      </div>
      {errors.hasNextPage && (
        <Button
          className="self-start"
          disabled={errors.isFetchingNextPage}
          onClick={() => void errors.fetchNextPage()}
        >
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  );
}
