'use no memo';

import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Connection, lastResponseAt, useConnection } from '../api/connection.ts';
import { classNames } from '../ui/button.tsx';
import { hint } from '../ui/page.tsx';
import { ExactTime } from '../ui/time.tsx';

/** The time that a connection has to be gone before the page says so, in milliseconds. */
const PATIENCE_MS = 1_500;

const tones = { live: 'bg-live', reconnecting: 'bg-soon-fill', offline: 'bg-danger-fill' } as const;

function useSettledConnection(): Connection {
  const connection = useConnection();
  const [settled, setSettled] = useState(connection);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(connection), connection === 'reconnecting' ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [connection]);
  return settled;
}

export function ConnectionState() {
  const { t } = useLingui();
  const connection = useSettledConnection();
  const labels = { live: t`Live`, reconnecting: t`Reconnecting…`, offline: t`Offline` };
  return (
    <p
      role="status"
      {...(connection === 'live' && hint(t`Changes by others appear as they happen.`))}
      className={classNames(
        'flex shrink-0 items-center gap-1.5 rounded-sm px-2 text-xs',
        connection === 'live' ? 'text-muted' : 'font-medium text-soon',
      )}
    >
      <span
        aria-hidden
        className={classNames('size-1.5 rounded-full forced-color-adjust-none', tones[connection])}
      />
      {labels[connection]}
    </p>
  );
}

function OldSince({ isOffline }: { isOffline: boolean }) {
  const client = useQueryClient();
  const [since] = useState(() => new Date(lastResponseAt()).toISOString());
  useEffect(() => () => void client.invalidateQueries(), [client]);
  return (
    <>
      {isOffline ? <Trans>This device is offline.</Trans> : <Trans>Can't reach the server.</Trans>}{' '}
      <Trans>
        Showing data from <ExactTime time={since} />. Your input is kept.
      </Trans>
    </>
  );
}

export function OldDataBanner() {
  const connection = useSettledConnection();
  const isLive = connection === 'live';
  return (
    <div
      role="status"
      className={
        isLive ? 'sr-only' : 'rounded-md bg-raised px-4 py-3 text-sm text-soon shadow-md print:hidden'
      }
    >
      {!isLive && <OldSince isOffline={connection === 'offline'} />}
    </div>
  );
}
