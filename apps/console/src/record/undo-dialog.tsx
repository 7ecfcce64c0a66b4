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
  /** Whether the undo would do anything: else no button offers it. Always, unless given. */
  isPossible?: (preview: Preview) => boolean;
  /** Whether anything of it is chosen; always, unless given. */
  isChosen?: (preview: Preview) => boolean;
  /** Undoes it as it was shown. The dialog stays open with the error if it fails. */
  undo: (reason: { reason?: string | undefined }, shown: Preview) => Promise<unknown>;
  onClose: () => void;
}

/** Shows what an undo would do, as the service says, asks for the reason, and undoes. */
export function UndoDialog<Preview>(props: UndoDialogProps<Preview>) {
  const { title, queryKey, isPossible = () => true, isChosen = () => true, onClose } = props;
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
  const isReady = preview.isSuccess && isChosen(preview.data);
  const isOffered = !preview.isSuccess || isPossible(preview.data);
  return (
    <FormDialog
      title={title}
      submitLabel={isOffered ? props.submitLabel : undefined}
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
      {isOffered && (
        <ReasonField hint={t`Stored in the history of every record.`} value={reason} onChange={setReason} />
      )}
    </FormDialog>
  );
}

/** Whether the undo of a change of many records would restore any: of more than were tried, the others may be. */
export const restoresAny = ({ count, checked, changed }: PreviewProps['preview']) =>
  changed > 0 || checked < count;

/** Says how many records the undo of a change would restore. */
function Restored({ preview: { count, checked, changed, partlyChanged } }: Pick<PreviewProps, 'preview'>) {
  const { i18n } = useLingui();
  const number = (value: number) => i18n.number(value);
  if (count === 0) return <Trans>There's nothing left to undo.</Trans>;
  if (changed === 0 && checked === count) return <Trans>No record can be restored.</Trans>;
  if (changed === count && partlyChanged === 0)
    return <Plural value={count} one="# record will be restored." other="All # records will be restored." />;
  return (
    <>
      {checked < count ? (
        <Trans>
          Of {number(count)} records, the first {number(checked)} were checked. {number(changed)} of these
          will be restored.
        </Trans>
      ) : (
        <Trans>
          {number(changed)} of {number(count)} records will be restored.
        </Trans>
      )}{' '}
      {partlyChanged > 0 && (
        <Plural
          value={partlyChanged}
          one="# of them only partly, because fields have changed since."
          other="# of them only partly, because fields have changed since."
        />
      )}
    </>
  );
}

/** Says what the undo of a change of many records would do: of a job, an import, or the deactivation of an office with its agents. */
export function UndoPreview({ resource, preview }: PreviewProps) {
  return (
    <>
      <p className="text-sm">
        <Restored preview={preview} />
      </p>
      <ChangePreview resource={resource} preview={preview} />
    </>
  );
}
