import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { ErrorBox } from '../components/error-text.tsx';
import { givenReason, ReasonField } from '../components/forms/reason-field.tsx';
import { Loading } from '../components/page.tsx';
import { ChangePreview, type PreviewProps } from './change-preview.tsx';

interface UndoDialogProps<Preview> {
  title: string;
  submitLabel: string;
  /** Identifies the undo: the resource, and what is undone. */
  queryKey: readonly unknown[];
  /** Asks the service what the undo would do, which changes nothing. */
  preview: (signal: AbortSignal) => Promise<Preview>;
  /** Shows that. */
  children: (preview: Preview) => ReactNode;
  /** Whether the undo would do anything; always, unless given. */
  isPossible?: (preview: Preview) => boolean;
  /** Undoes it as it was shown. The dialog stays open with the error if it fails. */
  undo: (reason: { reason?: string | undefined }, shown: Preview) => Promise<unknown>;
  onClose: () => void;
}

/** Shows what an undo would do, as the service says, asks for the reason, and undoes. */
export function UndoDialog<Preview>(props: UndoDialogProps<Preview>) {
  const { title, submitLabel, queryKey, isPossible = () => true, onClose } = props;
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const undo = useMutation({
    mutationFn: (shown: Preview) => props.undo({ reason: givenReason(reason) }, shown),
    onSuccess: onClose,
  });
  const preview = useQuery({
    queryKey: [...queryKey, 'undo', 'preview'],
    queryFn: ({ signal }) => props.preview(signal),
    // The undo makes all be read again, while there is nothing left to undo.
    enabled: undo.isIdle || undo.isError,
    staleTime: 0,
    gcTime: 0,
  });
  const isReady = preview.isSuccess && isPossible(preview.data);
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      isDirty={reason !== ''}
      isPending={undo.isPending || !isReady}
      error={undo.error}
      width="medium"
      onSubmit={() => preview.isSuccess && undo.mutate(preview.data)}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4" aria-live="polite" aria-busy={preview.isPending}>
        {preview.isPending && <Loading />}
        {preview.isError && <ErrorBox error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.isSuccess && props.children(preview.data)}
      </div>
      <ReasonField hint={t`Kept in the history of every record.`} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

/** Says what the undo of a change of many records would do: of a job, an import, or the deactivation of an office with its agents. */
export function UndoPreview({ resource, preview }: PreviewProps) {
  const { i18n } = useLingui();
  const { count, checked, changed } = preview;
  const number = (value: number) => i18n.number(value);
  return (
    <>
      <p className="text-sm">
        {count === 0 ? (
          <Trans>There is nothing left to undo.</Trans>
        ) : (
          <>
            <Plural value={count} one="# record was changed." other="# records were changed." />{' '}
            {checked < count && <Trans>The undo was tried on {number(checked)} of them.</Trans>}{' '}
            <Plural
              value={changed}
              one="# record would be as it was before."
              other="# records would be as they were before."
            />
          </>
        )}
      </p>
      <ChangePreview resource={resource} preview={preview} />
    </>
  );
}
