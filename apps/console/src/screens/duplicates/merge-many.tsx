import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { BulkPreview, Job } from '@roster/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOpenJob } from '../../api/jobs.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { givenReason, ReasonField } from '../../components/forms/reason-field.tsx';
import { Loading } from '../../components/page.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { inputOf } from '../../merges/pairs.ts';
import type { SearchParams } from '../../page/search-params.ts';
import { FilterWords } from '../../record/change-labels.tsx';
import { ChangePreview } from '../../record/change-preview.tsx';
import { callsOf } from '../../resources/record-calls.ts';
import { SCORE_DEFAULT } from './filters.tsx';

/** The pairs that a list shows, as the job that merges them takes them. */
function selectionOf(search: SearchParams): Record<string, unknown> {
  const { sort: _, state: __, ...filter } = inputOf(search);
  return { minScore: SCORE_DEFAULT, ...filter };
}

/** Shows what the merge of all pairs that a list shows would do, and starts the job that makes it. */
export function MergeManyDialog({
  resource,
  search,
  onClose,
}: {
  resource: ResourceName;
  search: SearchParams;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const openJob = useOpenJob();
  const [reason, setReason] = useState('');
  const filter = selectionOf(search);
  const { mergeDuplicates } = callsOf(resource);
  const preview = useQuery({
    queryKey: [resource, 'mergeDuplicates', { filter }] as const,
    queryFn: ({ signal }) =>
      mergeDuplicates.mutate({ filter, dryRun: true }, { signal }) as Promise<BulkPreview>,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const start = useMutation({
    mutationFn: (expectedCount: number) => {
      const input = { filter, expectedCount, reason: givenReason(reason) };
      return mergeDuplicates.mutate(input) as Promise<Job>;
    },
    onSuccess: openJob,
    // Of another number of pairs there is another preview.
    onError: () => void preview.refetch(),
  });
  const count = preview.data?.count ?? 0;
  return (
    <FormDialog
      title={t`Merge all pairs`}
      width="medium"
      look="danger"
      submitLabel={t`${plural(count, { one: 'Merge # pair', other: 'Merge # pairs' })}`}
      isPending={start.isPending || preview.isFetching || count === 0}
      error={start.error ?? preview.error}
      onSubmit={() => start.mutate(count)}
      onClose={onClose}
    >
      <div className="text-sm">
        <FilterWords resource={resource} filter={filter} />
      </div>
      <p className="text-sm">
        <Trans>
          Of each pair the active record stays, or else the older one: it keeps its values and gets those that
          it lacks. A job does it in the background, and can be undone as a whole.
        </Trans>
      </p>
      {preview.isPending && <Loading />}
      {preview.data !== undefined && (
        <>
          <p className="font-semibold text-sm">
            <Plural value={count} one="# pair" other="# pairs" />
          </p>
          <ChangePreview resource={resource} preview={preview.data} />
        </>
      )}
      <ReasonField hint={t`Optional; kept in the history`} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
