import { Trans, useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { EyeOff } from '../../more-icons.tsx';
import { Button } from '../button.tsx';
import { CopyField } from '../forms/copy-field.tsx';
import { Dialog } from './dialog.tsx';

/**
 * A new secret, which the service tells only once. Neither Escape nor a click beside the dialog closes it, but only the button that
 * confirms that it is kept.
 *
 * @param children what else there is to know, such as when the previous secret ends
 */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  title: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [isReminded, setReminded] = useState(false);
  // Neither "back" nor closing the tab takes it away.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Dialog
      title={title}
      onClose={() => setReminded(true)}
      footer={
        <Button onClick={onClose}>
          <Trans>I've saved it</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <div>
          <CopyField label={t`Copy the secret now`} value={secret} look="primary" />
          <p className="flex items-center gap-2 font-medium">
            <EyeOff aria-hidden className="size-3.5 shrink-0 text-muted" />
            <Trans>It is shown only this once. If you lose it, create a new secret.</Trans>
          </p>
        </div>
        {children}
        <p role="alert" className={isReminded ? 'text-danger' : 'hidden'}>
          {isReminded && t`You won't be able to see the secret again. Confirm that you've saved it.`}
        </p>
      </div>
    </Dialog>
  );
}
