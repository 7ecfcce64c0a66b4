import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ErrorBox } from '../components/error-text.tsx';
import { TextField } from '../components/forms/field.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { offerUndo, undoUpdate } from '../record/undo.ts';
import { type DirectoryRecord, nameOf } from '../resources/record.ts';
import { callsOf, recordChanged, rereadIfChanged } from '../resources/record-calls.ts';
import { FieldChanges } from './field-changes.tsx';

/** To which version, and which fields; without fields all that can be written. */
export interface RevertRequest {
  toVersion: number;
  fields?: string[];
}

interface RevertDialogProps {
  resource: ResourceName;
  record: DirectoryRecord;
  request: RevertRequest;
  onClose: () => void;
}

/** Shows what a revert would change, as the service says by a dry run, and reverts all of it or the fields that are ticked. */
export function RevertDialog({ resource, record, request, onClose }: RevertDialogProps) {
  const { t, i18n } = useLingui();
  const formId = useId();
  const { id, version: ifVersion } = record;
  const { toVersion, fields } = request;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const calls = callsOf(resource);
  const input = { id, ifVersion, toVersion, ...(fields !== undefined && { fields }) };
  const preview = useQuery({
    queryKey: [resource, 'revert', input] as const,
    queryFn: ({ signal }) => calls.revert.mutate({ ...input, dryRun: true }, { signal }),
    staleTime: 0,
  });
  const changes = preview.data?.changes ?? [];
  const chosen = changes.map(({ field }) => field).filter((field) => !left.has(field));
  const isAll = chosen.length === changes.length;
  const revert = useMutation({
    mutationFn: () =>
      calls.revert.mutate({
        ...input,
        ...(isAll ? {} : { fields: chosen }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      }),
    onSuccess: ({ changes: made, notReverted: _, ...reverted }) => {
      const saved = reverted as DirectoryRecord;
      recordChanged(resource, saved);
      onClose();
      const undo = () =>
        undoUpdate(resource, saved, isAll && fields === undefined ? undefined : made.map((one) => one.field));
      if (made.length > 0) offerUndo(i18n, { text: t`${nameOf(saved)} is reverted`, undo });
    },
    onError: (error) => rereadIfChanged(resource, id, error),
  });
  const choose = (field: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(field);
    else next.add(field);
    setLeft(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length > 0 && !revert.isPending) revert.mutate();
  };
  const notReverted = preview.data?.notReverted ?? [];
  return (
    <Dialog
      title={fields === undefined ? t`Go back to version ${toVersion}` : t`Undo this change`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            form={formId}
            look="primary"
            disabled={chosen.length === 0 || revert.isPending}
          >
            <Trans>Revert</Trans>
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={submit}>
        {preview.isPending && (
          <p className="text-muted text-sm">
            <Trans>Loading…</Trans>
          </p>
        )}
        {preview.isError && <ErrorBox error={preview.error} onRetry={() => void preview.refetch()} />}
        {preview.isSuccess && changes.length === 0 && (
          <p className="text-sm">
            <Trans>Nothing would change: the record has these values.</Trans>
          </p>
        )}
        {changes.length > 0 && (
          <fieldset>
            <legend className="mb-2 text-sm">
              <Trans>These fields would change. Untick those that should stay as they are.</Trans>
            </legend>
            <FieldChanges resource={resource} changes={changes} chosen={new Set(chosen)} onChoose={choose} />
          </fieldset>
        )}
        {notReverted.length > 0 && (
          <div className="text-muted text-sm">
            <p>
              <Trans>The status stays: deactivate or reactivate changes it.</Trans>
            </p>
          </div>
        )}
        <TextField
          label={t`Reason`}
          hint={t`Optional; kept in the history`}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {revert.isError && <ErrorBox error={revert.error} />}
      </form>
    </Dialog>
  );
}
