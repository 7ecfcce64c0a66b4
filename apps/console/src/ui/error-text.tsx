'use no memo';

import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useConnection } from '../api/connection.ts';
import { PasskeyError, type PasskeyFailure } from '../api/passkeys.ts';
import { Callout } from './badge.tsx';
import { PartError, reloadPage } from './browser/lazy-chunks.ts';
import { Button } from './button.tsx';
import { isUnreachable, messageOf, missingRights } from './error-message.ts';
import { notify } from './notices.tsx';

export function notifyError(error: unknown): void {
  notify({ text: messageOf(error), tone: 'danger' });
}

export function usePasskeyMessage(): (error: unknown) => string {
  const { t } = useLingui();
  const failures: Record<PasskeyFailure, string> = {
    declined: t`The device didn't confirm. Try again.`,
    known: t`This device already has a passkey for you.`,
    unsupported: t`This browser or device doesn't support passkeys.`,
  };
  return (error) => (error instanceof PasskeyError ? failures[error.failure] : messageOf(error));
}

interface ErrorProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

export function ErrorBox(props: ErrorProps) {
  return (
    <div className="p-4">
      <ErrorCallout {...props} />
    </div>
  );
}

/** An error, with its request id for who helps. That the service cannot be reached it says as long as it is so. */
export function ErrorCallout({ error, onRetry }: ErrorProps) {
  const { t } = useLingui();
  const isLive = useConnection() === 'live';
  const needsReload = error instanceof PartError && error.needsReload;
  const isOffline = (error instanceof PartError && !needsReload) || isUnreachable(error);
  const isBack = isLive && isUnreachable(error);
  const awayTitle = isBack ? t`Couldn't reach the server` : t`Can't reach the server`;
  const title = isOffline ? awayTitle : messageOf(error);
  const isNotAllowed = missingRights(error).length > 0;
  const requestId = error instanceof RosterError && !isNotAllowed ? error.requestId : undefined;
  return (
    <Callout tone="danger" title={title}>
      {isOffline && (
        <p>
          {isBack ? (
            <Trans>The service is available again. Your input is kept. Try again.</Trans>
          ) : isUnreachable(error) ? (
            <Trans>Your input is kept. Try again in a moment.</Trans>
          ) : (
            messageOf(error)
          )}
        </p>
      )}
      {isNotAllowed && (
        <p>
          <Trans>Ask an administrator for access.</Trans>
        </p>
      )}
      {requestId !== undefined && (
        <p>
          <Trans>If you ask for help, include the request ID {requestId}.</Trans>
        </p>
      )}
      {onRetry !== undefined && (
        <Button className="mt-2" onClick={needsReload ? reloadPage : onRetry}>
          <Trans>Retry</Trans>
        </Button>
      )}
    </Callout>
  );
}
