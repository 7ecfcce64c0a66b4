import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { isEnded, pauseMs } from '../../api/jobs.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { KeptFields } from '../record/change-preview.tsx';
import { ChangedSince } from '../record/changed-since.tsx';

const PAGE_SIZE = 50;

export function JobErrors({ job }: { job: Job }) {
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
