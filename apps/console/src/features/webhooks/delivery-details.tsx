import { Trans, useLingui } from '@lingui/react/macro';
import type { EventType, Webhook, WebhookAttempt, WebhookDelivery } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { RotateCcw } from '../../more-icons.tsx';
import { resourceOfEvent } from '../../resources/index.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBox, Detail, Details } from '../../ui/details.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { ExactTime, RelativeTime } from '../../ui/time.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const { t } = useLingui();
  return (
    <ol aria-label={t`Attempts`} className="flex flex-col gap-2">
      {attempts.map((attempt) => (
        <li key={attempt.at} className="rounded-sm border border-line bg-page p-2 text-sm">
          <p className="flex flex-wrap gap-x-3">
            <ExactTime time={attempt.at} />
            <span className="tabular-nums">
              {attempt.status === null ? t`No response` : t`HTTP ${attempt.status}`}
            </span>
            <span className="text-muted tabular-nums">{attempt.durationMs} ms</span>
          </p>
          {attempt.error !== null && <p className="text-danger">{attempt.error}</p>}
          {attempt.body !== null && attempt.body !== '' && <CodeBox>{attempt.body}</CodeBox>}
        </li>
      ))}
    </ol>
  );
}

function SentEvent({ item }: { item: WebhookDelivery }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const input = { after: String(item.position - 1), types: [item.type as EventType], limit: 1 };
  const { data, error } = useQuery({ ...rosterQuery('events', 'list', input), enabled: isOpen });
  const event = data?.items.find(({ position }) => position === item.position);
  return (
    <details className="text-sm" onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}>
      <summary className="min-h-9 py-1.5 font-medium">{t`The event in the message`}</summary>
      {error !== null && <ErrorBox error={error} />}
      {data !== undefined && event === undefined && <p>{t`This event is no longer in the log.`}</p>}
      {event !== undefined && <CodeBox>{JSON.stringify(event, null, 2)}</CodeBox>}
    </details>
  );
}

export function DeliveryDetails({ item, webhook }: { item: WebhookDelivery; webhook: Webhook }) {
  const { t } = useLingui();
  const { can } = useRights();
  const [isReplaying, setReplaying] = useState(false);
  const resource = resourceOfEvent(item.type);
  return (
    <div className="flex flex-col gap-3 px-3 pt-1 pb-3">
      <Details>
        <Detail label={t`Record`}>
          {resource !== undefined && <RecordLink resource={resource} id={item.subject} />}
        </Detail>
        <Detail label={t`Message`}>
          <code className="text-xs">{item.messageId}</code>
        </Detail>
        <Detail label={t({ message: 'Position', context: 'event log' })}>{item.position}</Detail>
        {item.nextAttemptAt !== null && (
          <Detail label={t`Next attempt`}>
            <RelativeTime time={item.nextAttemptAt} />
          </Detail>
        )}
      </Details>
      {item.attempts.length > 0 && <Attempts attempts={item.attempts} />}
      {can('events:read') && <SentEvent item={item} />}
      <div>
        <Button onClick={() => setReplaying(true)}>
          <RotateCcw aria-hidden />
          <Trans>Replay from here on …</Trans>
        </Button>
      </div>
      {isReplaying && (
        <ReplayDialog item={webhook} first={item.position} onClose={() => setReplaying(false)} />
      )}
    </div>
  );
}
