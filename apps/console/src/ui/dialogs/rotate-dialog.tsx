import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OverlapField, overlapDefault, overlapEnd } from '../forms/overlap-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export interface Rotated<Item> {
  renewed: Item;
  previousEndsAt: string;
}

interface RotateDialogProps<Item> {
  title: string;
  children: ReactNode;
  /** Warns of an overlap of no time, unless that does no harm. */
  warning?: ReactNode;
  rotate: (overlapSeconds: number) => Promise<Item>;
  secretTitle: (renewed: Item) => string;
  ends: (rotated: Rotated<Item>) => ReactNode;
  onClose: () => void;
}

export function RotateDialog<Item extends { secret: string }>(props: RotateDialogProps<Item>) {
  const { title, children, warning, secretTitle, ends, onClose } = props;
  const { t } = useLingui();
  const [overlapSeconds, setOverlap] = useState(overlapDefault);
  const [rotated, setRotated] = useState<Rotated<Item>>();
  const rotate = useMutation({
    mutationFn: () => props.rotate(overlapSeconds),
    onSuccess: (renewed) => setRotated({ renewed, previousEndsAt: overlapEnd(overlapSeconds) }),
  });
  if (rotated !== undefined)
    return (
      <SecretDialog title={secretTitle(rotated.renewed)} secret={rotated.renewed.secret} onClose={onClose}>
        {ends(rotated)}
      </SecretDialog>
    );
  return (
    <FormDialog
      title={title}
      submitLabel={t`Rotate`}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-sm">{children}</p>
      <OverlapField value={overlapSeconds} onChange={setOverlap} />
      {overlapSeconds === 0 && warning !== undefined && <p className="text-danger text-sm">{warning}</p>}
    </FormDialog>
  );
}
