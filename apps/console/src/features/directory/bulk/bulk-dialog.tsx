import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { useOpenJob } from '../../../api/jobs.ts';
import { resources } from '../../../resources/index.ts';
import { Callout } from '../../../ui/badge.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { ReasonField } from '../../../ui/forms/reason-field.tsx';
import { Loading } from '../../../ui/page.tsx';
import type { RecordSelection } from '../list/selection.ts';
import {
  type BulkDraft,
  type ChangeType,
  dayOf,
  filterOf,
  isReady,
  readDraft,
  startBulk,
  storeDraft,
} from './bulk-change.ts';
import { ChangeForm } from './change-form.tsx';
import { CountField, Preview } from './preview.tsx';
import { usePreview } from './use-preview.ts';

/** A change of more records, and every deletion, asks to type their number. */
const CONFIRM_ABOVE = 100;

export interface BulkDialogProps {
  resource: ResourceName;
  selection: RecordSelection;
  /** The change that is chosen at first. */
  type: ChangeType;
  onClose: () => void;
}

const isMismatch = (error: unknown): error is RosterError =>
  error instanceof RosterError && error.code === 'count_mismatch';

/**
 * Changes many records: what is done, what that would do, and a job, whose page is opened. The number that was shown is sent along; if
 * another number matches by then, nothing is changed, and the dialog shows the new one and asks again.
 */
export function BulkDialog({ resource, selection, type, onClose }: BulkDialogProps) {
  const { t } = useLingui();
  const openJob = useOpenJob();
  const [draft, setDraft] = useState(() => ({ ...readDraft(resource), type }));
  const [typed, setTyped] = useState('');
  const bulk = { resource, selection, draft };
  const { filter, shownCount } = filterOf(selection);
  const { shown, isCurrent, error, refetch } = usePreview(bulk);
  const start = useMutation({
    mutationFn: (expectedCount: number) => startBulk(bulk, expectedCount),
    onSuccess: (job) => {
      storeDraft(resource, undefined);
      onClose();
      return openJob(job);
    },
    onError: (cause) => {
      if (!isMismatch(cause)) return;
      setTyped('');
      void refetch();
    },
  });
  const write = (next: BulkDraft) => {
    setDraft(next);
    storeDraft(resource, next);
  };
  const change = (next: BulkDraft) => {
    // The number was typed for another change.
    setTyped('');
    start.reset();
    write(next);
  };
  const count = shown?.preview.count ?? shownCount;
  const records = t(resources[resource].counted(count));
  const isAsked = shown !== undefined && count > 0 && (draft.type === 'delete' || count > CONFIRM_ABOVE);
  const isConfirmed = !isAsked || typed.replaceAll(/\D/g, '') === String(count);
  return (
    <FormDialog
      title={t`Change ${records}`}
      width="medium"
      look={isDestructive(draft) ? 'danger' : 'primary'}
      submitLabel={<ActionWords resource={resource} draft={draft} count={count} />}
      isPending={start.isPending || !isCurrent || count === 0 || !isConfirmed}
      error={isMismatch(start.error) ? null : start.error}
      onSubmit={() => start.mutate(count)}
      onClose={onClose}
    >
      <ChangeForm resource={resource} draft={draft} onChange={change} />
      {isMismatch(start.error) && (
        <Callout tone="danger" title={t`No changes were made: the number of records has changed`}>
          <p>{start.error.message}</p>
        </Callout>
      )}
      {isReady(draft) && (
        <div aria-live="polite" aria-busy={!isCurrent}>
          {error !== null ? (
            <ErrorBox error={error} onRetry={() => void refetch()} />
          ) : shown === undefined ? (
            <Loading />
          ) : (
            <Preview resource={resource} filter={filter} previewed={shown} shownCount={shownCount} />
          )}
        </div>
      )}
      <ReasonField
        hint={t`Stored in the history of every record.`}
        value={draft.reason}
        onChange={(reason) => write({ ...draft, reason })}
      />
      {isAsked && <CountField count={count} value={typed} onChange={setTyped} />}
    </FormDialog>
  );
}

/** Whether it takes something away at once: what is scheduled can be cancelled. */
const isDestructive = (draft: BulkDraft): boolean =>
  draft.type === 'delete' || (draft.type === 'deactivate' && dayOf(draft) === undefined);

function ActionWords({
  resource,
  draft,
  count,
}: {
  resource: ResourceName;
  draft: BulkDraft;
  count: number;
}) {
  const { t } = useLingui();
  const { type } = draft;
  if (dayOf(draft) !== undefined) {
    const records = t(resources[resource].counted(count));
    return <Trans>Schedule for {records}</Trans>;
  }
  switch (type) {
    case 'deactivate':
      return <Plural value={count} one="Deactivate # record" other="Deactivate # records" />;
    case 'reactivate':
      return <Plural value={count} one="Reactivate # record" other="Reactivate # records" />;
    case 'transfer':
      return <Plural value={count} one="Transfer # agent" other="Transfer # agents" />;
    case 'delete':
      return <Plural value={count} one="Delete # record" other="Delete # records" />;
    case 'update':
      return <Plural value={count} one="Change # record" other="Change # records" />;
  }
}
