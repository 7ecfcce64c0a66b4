import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { type Connection, useConnection } from '../api/connection.ts';
import { classNames } from '../components/button.tsx';

/** The time that a connection has to be gone before the page says so, in milliseconds. */
const PATIENCE_MS = 1_500;

const tones = { live: 'bg-good', reconnecting: 'bg-warning', offline: 'bg-danger' } as const;

/** The connection, without interruptions so short that they are none for a reader. */
function useSettledConnection(): Connection {
  const connection = useConnection();
  const [settled, setSettled] = useState(connection);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(connection), connection === 'reconnecting' ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [connection]);
  return settled;
}

/** Whether changes of others arrive, as a dot with a word. Read out when it changes. */
export function ConnectionState() {
  const { t } = useLingui();
  const connection = useSettledConnection();
  const texts = {
    live: { label: t`Live`, detail: t`Changes by others appear as they happen.` },
    reconnecting: {
      label: t`Reconnecting…`,
      detail: t`The service cannot be reached. What is shown may be old; what you type is kept.`,
    },
    offline: {
      label: t`Offline`,
      detail: t`This device has no network. What is shown may be old; what you type is kept.`,
    },
  };
  const { label, detail } = texts[connection];
  return (
    <p
      role="status"
      title={detail}
      className={classNames(
        'flex items-center gap-2 rounded-full px-2 py-1 text-xs',
        connection === 'live' ? 'text-muted' : 'bg-warning-surface font-medium text-warning',
      )}
    >
      <span
        aria-hidden
        className={classNames('size-2 rounded-full forced-color-adjust-none', tones[connection])}
      />
      <span className={connection === 'live' ? 'sr-only lg:not-sr-only' : ''}>{label}</span>
      {connection !== 'live' && <span className="sr-only">{detail}</span>}
    </p>
  );
}
