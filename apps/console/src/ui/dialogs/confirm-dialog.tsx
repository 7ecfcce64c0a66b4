import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  confirmLabel: string;
  children: ReactNode;
  /** Does it. The dialog stays open with the error if it fails. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog({ title, confirmLabel, children, onConfirm, onClose }: ConfirmDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      look="danger"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 text-sm">{children}</div>
    </FormDialog>
  );
}
