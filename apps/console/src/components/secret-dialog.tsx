import { Trans, useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Callout } from './badge.tsx';
import { Button } from './button.tsx';
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
  const [copied, setCopied] = useState<boolean>();
  const [isReminded, setReminded] = useState(false);
  const id = useId();
  // Neither "back" nor closing the tab takes it away.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Dialog
      title={title}
      onClose={() => setReminded(true)}
      footer={
        <Button look="primary" onClick={onClose}>
          <Trans>I have kept it</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <Callout tone="warning" title={t`Keep this secret now: it is not shown again.`}>
          <p>
            <Trans>Roster cannot show it to anyone later. If it is lost, rotate it to get another one.</Trans>
          </p>
        </Callout>
        <div className="flex flex-col gap-1">
          <label htmlFor={id} className="font-medium">
            <Trans>Secret</Trans>
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id={id}
              readOnly
              dir="ltr"
              value={secret}
              className="min-h-9 min-w-0 grow basis-64 rounded-md border border-control bg-surface px-3 font-mono"
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copy()}>
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              <Trans>Copy</Trans>
            </Button>
          </div>
          <p role="status" className="min-h-5 text-muted">
            {copied === true && t`Copied.`}
            {copied === false && t`The browser did not allow it: select the secret and copy it.`}
          </p>
        </div>
        {children}
        <p role="alert" className={isReminded ? 'text-danger' : 'hidden'}>
          {isReminded && t`Once this is closed, the secret is gone. Confirm that you have kept it.`}
        </p>
      </div>
    </Dialog>
  );
}
