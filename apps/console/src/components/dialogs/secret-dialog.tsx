import { Trans, useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Callout } from '../badge.tsx';
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
        <Button look="primary" onClick={onClose}>
          <Trans>I have saved it</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <Callout tone="warning" title={t`Save this secret now: it is not shown again.`}>
          <p>
            <Trans>Roster cannot show it to anyone later. If it is lost, rotate it to get another one.</Trans>
          </p>
        </Callout>
        <CopyField label={t`Secret`} value={secret} />
        {children}
        <p role="alert" className={isReminded ? 'text-danger' : 'hidden'}>
          {isReminded && t`Once this is closed, the secret is gone. Confirm that you have saved it.`}
        </p>
      </div>
    </Dialog>
  );
}
