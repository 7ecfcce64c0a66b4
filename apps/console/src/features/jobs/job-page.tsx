import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { rosterQuery } from '../../api/client.ts';
import { pauseUntilEnded } from '../../api/jobs.ts';
import { Callout } from '../../ui/badge.tsx';
import { linkClasses } from '../../ui/button.tsx';
import { Detail, Details } from '../../ui/details.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Page } from '../../ui/page.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { FilterWords } from '../fields/filter-words.tsx';
import { ChangeWords } from './change-words.tsx';
import { JobActions } from './job-actions.tsx';
import { JobErrors } from './job-errors.tsx';
import { isScheduling, JobStatusBadge, jobTitle } from './job-labels.tsx';
import { JobProgress } from './job-progress.tsx';

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
            <Trans>the job before it</Trans>
          </Link>
        </Detail>
      )}
      {undoneBy !== null && (
        <Detail label={t`Undone by`}>
          <Link to="/jobs/$id" params={{ id: undoneBy }} className="text-accent underline">
            <Trans>a later job</Trans>
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
