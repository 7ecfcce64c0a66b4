import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { rosterQuery } from '../../api/client.ts';
import { isEnded, pauseMs, pauseUntilEnded, rateOf } from '../../api/jobs.ts';
import { usePages } from '../../api/use-pages.ts';
import { Callout } from '../../ui/badge.tsx';
import { linkClasses } from '../../ui/button.tsx';
import { Detail, Details } from '../../ui/details.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { CountList, ProgressBar } from '../../ui/progress.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { FilterWords } from '../fields/filter-words.tsx';
import { ChangedSince } from '../record/change-preview.tsx';
import { KeptFields } from '../record/changed-fields.tsx';
import { ChangeWords } from './change-words.tsx';
import { JobActions } from './job-actions.tsx';
import { isScheduling, JobStatusBadge, jobTitle, wordsOf } from './job-labels.tsx';

const PAGE_SIZE = 50;

function JobErrors({ job }: { job: Job }) {
  const { t, i18n } = useLingui();
  const { id, resource, rejected, partlyChanged, undoes } = job;
  const count = rejected + partlyChanged;
  const pages = usePages(
    'jobs',
    'errors',
    { id, limit: PAGE_SIZE },
    // While a job runs, there come to be more.
    { isEnabled: count > 0, refetchMs: (_errors, reads) => !isEnded(job) && pauseMs(reads) },
  );
  if (count === 0) return null;
  // Changes made since are kept on purpose: that is no error of an undo.
  const isChangedSince = ({ code }: { code: string }) => undoes !== null && code === 'version_conflict';
  const title = undoes === null ? t`Records that couldn't be changed` : t`Changes that couldn't be undone`;
  return (
    <section aria-labelledby="job-errors" className="flex flex-col gap-2">
      <h2 id="job-errors" className="font-semibold">
        {title} <span className="font-normal text-muted">{i18n.number(count)}</span>
      </h2>
      <PagedTable
        label={title}
        pages={pages}
        empty={<Trans>Loading…</Trans>}
        columns={[
          {
            id: 'record',
            label: t`Record`,
            cell: (error) => <RecordLink resource={resource} id={error.id} />,
          },
          {
            id: 'why',
            label: t`Reason`,
            cell: (error) => {
              if (error.fields.length > 0) return <KeptFields resource={resource} fields={error.fields} />;
              return isChangedSince(error) ? (
                <ChangedSince resource={resource} id={error.id} />
              ) : (
                error.detail
              );
            },
          },
          {
            id: 'code',
            label: t`Code`,
            width: 'medium',
            cell: (error) => !isChangedSince(error) && <code className="text-xs">{error.code}</code>,
          },
        ]}
      />
    </section>
  );
}

function useDuration(): (seconds: number) => string {
  const { i18n } = useLingui();
  return (seconds) => {
    const [value, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
    return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  };
}

function JobProgress({ job }: { job: Job }) {
  const { t, i18n } = useLingui();
  const duration = useDuration();
  const { processed, total, changed, partlyChanged, unchanged, rejected } = job;
  const words = wordsOf(job);
  const changedLabel = t(words.changed);
  const rate = rateOf(job);
  const number = (value: number) => i18n.number(value);
  return (
    <section aria-label={t`Progress`} className="flex flex-col gap-3">
      <ProgressBar value={processed} max={total} label={t`Progress`} />
      <p className="text-muted text-sm">
        <Trans>
          {number(processed)} of <Plural value={total} one="# record" other="# records" />
        </Trans>
        {rate !== undefined && ` · ${t`${number(Math.round(rate.perSecond))} per second`}`}
        {rate !== undefined && !isEnded(job) && ` · ${t`about ${duration(rate.secondsLeft)} left`}`}
      </p>
      <CountList
        counts={[
          { label: changedLabel, count: changed },
          ...(partlyChanged === 0 ? [] : [{ label: t`Partially`, count: partlyChanged }]),
          ...(words.unchanged === undefined ? [] : [{ label: t(words.unchanged), count: unchanged }]),
          { label: t`Failed`, count: rejected },
          ...(isEnded(job) && processed < total ? [{ label: t`Not tried`, count: total - processed }] : []),
        ]}
      />
      {/* Said once when it has ended; a bar that moves is not read out. */}
      <p role="status" className="sr-only">
        {isEnded(job) && (
          <Trans>
            The job has finished. {changedLabel}: {number(changed)}
          </Trans>
        )}
      </p>
    </section>
  );
}

function JobDetails({ job }: { job: Job }) {
  const { t } = useLingui();
  const { resource, filter, change, undoes, undoneBy, reason, createdAt, createdBy, startedAt, finishedAt } =
    job;
  return (
    <Details>
      {filter !== null && (
        <Detail label={t`Which records`}>
          <FilterWords resource={resource} filter={filter} />
        </Detail>
      )}
      {change !== null && (
        <Detail label={t`What changes`}>
          <ChangeWords resource={resource} change={change} />
        </Detail>
      )}
      {undoes !== null && (
        <Detail label={t`Undoes`}>
          <Link to="/jobs/$id" params={{ id: undoes }} className="text-accent underline">
            <Trans>View the bulk change</Trans>
          </Link>
        </Detail>
      )}
      {undoneBy !== null && (
        <Detail label={t`Undone by`}>
          <Link to="/jobs/$id" params={{ id: undoneBy }} className="text-accent underline">
            <Trans>View the undo</Trans>
          </Link>
        </Detail>
      )}
      {isScheduling(job) && (
        <Detail label={t`Scheduled changes`}>
          <Link to="/scheduled-changes" search={{ jobId: job.id }} className={linkClasses}>
            <Trans>View what is scheduled</Trans>
          </Link>
        </Detail>
      )}
      {reason !== null && <Detail label={t`Reason`}>{reason}</Detail>}
      <Detail label={t`Accepted`}>
        <ExactTime time={createdAt} />
        {createdBy?.name != null && ` · ${createdBy.name}`}
      </Detail>
      {startedAt !== null && (
        <Detail label={t`Started`}>
          <ExactTime time={startedAt} />
        </Detail>
      )}
      {finishedAt !== null && (
        <Detail label={t`Ended`}>
          <ExactTime time={finishedAt} />
        </Detail>
      )}
    </Details>
  );
}

export function JobPage() {
  const { t, i18n } = useLingui();
  const { id } = useParams({ from: '/signed-in/jobs/$id' });
  const job = useQuery({ ...rosterQuery('jobs', 'get', { id }), refetchInterval: pauseUntilEnded });
  if (job.data === undefined)
    return (
      <Page title={t`Job`} width="text">
        {job.isError && <ErrorBox error={job.error} onRetry={() => void job.refetch()} />}
      </Page>
    );
  return (
    <Page
      title={jobTitle(job.data, i18n)}
      width="text"
      intro={
        <>
          <JobStatusBadge job={job.data} />{' '}
          <Link to="/jobs" className="text-accent underline">
            <Trans>All jobs</Trans>
          </Link>
        </>
      }
      actions={<JobActions job={job.data} />}
    >
      {job.isError && <ErrorBox error={job.error} onRetry={() => void job.refetch()} />}
      {job.data.status === 'failed' && (
        <Callout tone="danger" title={t`The job stopped because of a server error`}>
          {job.data.failure !== null && <p>{job.data.failure.detail}</p>}
          <p>
            <Trans>Changes made before then stay, and you can undo them.</Trans>
          </p>
        </Callout>
      )}
      <JobProgress job={job.data} />
      <JobDetails job={job.data} />
      <JobErrors job={job.data} />
    </Page>
  );
}
