import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type BulkPreview, RosterError } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { useOpenJob } from '../../../api/jobs.ts';
import { resources } from '../../../resources/index.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import type { RecordSelection } from '../list/selection.ts';
import {
  type BulkDraft,
  type ChangeType,
  dayOf,
  filterOf,
  isReady,
  previewBulk,
  readDraft,
  startBulk,
  storeDraft,
} from './bulk-change.ts';
import { ChangeForm } from './change-form.tsx';
import { CountField, Preview } from './preview.tsx';

/** A change of more records, and every deletion, asks to type their number. */
const CONFIRM_ABOVE = 100;

export interface BulkDialogProps {
  resource: ResourceName;
  selection: RecordSelection;
  /** The change that is chosen first. */
  type: ChangeType;
  onClose: () => void;
}

const isMismatch = (error: unknown): error is RosterError =>
  error instanceof RosterError && error.code === 'count_mismatch';

/**
 * Changes many records: what is done, then what that would do, then a job, whose page is opened. The number that was shown is sent
 * along; if another number matches by then, nothing is changed, and the dialog shows the new one and asks again.
 */
export function BulkDialog({ resource, selection, type, onClose }: BulkDialogProps) {
  const { t } = useLingui();
  const openJob = useOpenJob();
  const content = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(() => ({ ...readDraft(resource), type }));
  const [preview, setPreview] = useState<BulkPreview>();
  const [typed, setTyped] = useState('');
  const bulk = { resource, selection, draft };
  const { filter, shownCount } = filterOf(selection);
  const records = t(resources[resource].counted(shownCount));
  const changeTitle = t`Change ${records}`;

  const check = useMutation({
    mutationFn: () => previewBulk(bulk),
    onSuccess: (found) => {
      setPreview(found);
      setTyped('');
      // The buttons have changed under the focus.
      content.current?.focus();
    },
  });
  const start = useMutation({
    mutationFn: (expectedCount: number) => startBulk(bulk, expectedCount),
    onSuccess: (job) => {
      storeDraft(resource, undefined);
      onClose();
      return openJob(job);
    },
    onError: (error) => {
      if (isMismatch(error)) check.mutate();
    },
  });
  const change = (next: BulkDraft) => {
    setDraft(next);
    storeDraft(resource, next);
  };
  const count = preview?.count ?? 0;
  const isAsked = preview !== undefined && count > 0 && (draft.type === 'delete' || count > CONFIRM_ABOVE);
  const isConfirmed = !isAsked || typed.replaceAll(/\D/g, '') === String(count);
  const isPending = check.isPending || start.isPending;
  return (
    <FormDialog
      title={changeTitle}
      width="medium"
      look={preview !== undefined && isDestructive(draft) ? 'danger' : 'primary'}
      submitLabel={
        preview === undefined ? t`Preview` : <ActionWords resource={resource} draft={draft} count={count} />
      }
      footerStart={
        preview !== undefined && (
          <Button
            onClick={() => {
              setPreview(undefined);
              start.reset();
            }}
          >
            <Trans>Back</Trans>
          </Button>
        )
      }
      isPending={isPending || (preview === undefined ? !isReady(draft) : count === 0 || !isConfirmed)}
      error={check.error ?? (isMismatch(start.error) ? null : start.error)}
      onSubmit={() => (preview === undefined ? check.mutate() : start.mutate(count))}
      onClose={onClose}
    >
      <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {preview === undefined ? (
          <ChangeForm resource={resource} draft={draft} onChange={change} />
        ) : (
          <>
            {isMismatch(start.error) && (
              <Callout tone="danger" title={t`No changes were made: the number of records has changed`}>
                <p>{start.error.message}</p>
              </Callout>
            )}
            <Preview
              resource={resource}
              filter={filter}
              draft={draft}
              preview={preview}
              shownCount={shownCount}
            />
            {isAsked && <CountField count={count} value={typed} onChange={setTyped} />}
          </>
        )}
      </div>
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
