import { useLingui } from '@lingui/react/macro';
import type { ServiceStatus } from '@roster/client';
import { Badge } from '../../components/badge.tsx';
import { Detail, Details } from '../../components/details.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { ValueTable } from '../../components/value-table.tsx';
import { bytesText, durationText } from './quantity.ts';

/** The servers that run on the same database; the one that answers is marked. */
export function Servers({ status: { server, servers } }: { status: ServiceStatus }) {
  const { t } = useLingui();
  return (
    <ValueTable
      label={t`Servers`}
      heads={[t`Server`, t`Version`, t`Process`, t`Started`, t`Last seen`]}
      rows={servers.map(({ id, host, version, pid, startedAt, lastSeenAt }) => ({
        id,
        cells: [
          <span key="host" className="flex flex-wrap items-center gap-2">
            {host}
            {id === server.id && <Badge>{t`Answers`}</Badge>}
          </span>,
          version,
          pid,
          <RelativeTime key="started" time={startedAt} />,
          <RelativeTime key="seen" time={lastSeenAt} />,
        ],
      }))}
    />
  );
}

/** The database, and the circuit breakers of the answering server. */
export function DatabaseFacts({ status: { database, server, sequencer } }: { status: ServiceStatus }) {
  const { t, i18n } = useLingui();
  const { circuits, connections, migrations } = database;
  const circuit = (state: 'closed' | 'open') => (
    <Badge tone={state === 'closed' ? 'good' : 'danger'}>
      {state === 'closed' ? t`Closed: works` : t`Open: rejects`}
    </Badge>
  );
  return (
    <div className="rounded-lg border border-line bg-surface p-4">
      <Details>
        <Detail label={t`Roster`}>{server.version}</Detail>
        <Detail label={t`Uptime`}>{durationText(server.uptimeS, i18n.locale)}</Detail>
        <Detail label={t`PostgreSQL`}>{database.version}</Detail>
        <Detail label={t`Size`}>{bytesText(database.sizeBytes, i18n.locale)}</Detail>
        <Detail label={t`Connections`}>{t`${connections.open} of ${connections.max}`}</Detail>
        <Detail label={t`Circuit breaker of requests`}>{circuit(circuits.requests)}</Detail>
        <Detail label={t`Circuit breaker of workers`}>{circuit(circuits.workers)}</Detail>
        <Detail label={t`Last migration`}>{migrations.latest}</Detail>
        <Detail label={t`Pending migrations`}>{migrations.pending.join(', ')}</Detail>
        <Detail label={t`Migrations of a later release`}>{migrations.unknown.join(', ')}</Detail>
        <Detail label={t`Last position of the log`}>{i18n.number(sequencer.lastPosition)}</Detail>
      </Details>
    </div>
  );
}
