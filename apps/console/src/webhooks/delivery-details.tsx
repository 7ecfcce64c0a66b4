import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@roster/client';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Detail, Details } from '../components/details.tsx';
import { RecordLink } from '../components/record-name.tsx';
import { ExactTime, RelativeTime } from '../components/time.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const { t } = useLingui();
  return (
    <ol aria-label={t`Attempts`} className="flex flex-col gap-2">
      {attempts.map((attempt) => (
        <li key={attempt.at} className="rounded-md border border-line bg-page p-2 text-sm">
          <p className="flex flex-wrap gap-x-3">
            <ExactTime time={attempt.at} />
            <span className="tabular-nums">
              {attempt.status === null ? t`No answer` : t`HTTP ${attempt.status}`}
            </span>
            <span className="text-muted tabular-nums">{attempt.durationMs} ms</span>
          </p>
          {attempt.error !== null && <p className="text-danger">{attempt.error}</p>}
          {attempt.body !== null && attempt.body !== '' && (
            <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap break-all text-xs">
              {attempt.body}
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What happened to one delivery, attempt by attempt. */
export function DeliveryDetails({ item, webhook }: { item: WebhookDelivery; webhook: Webhook }) {
  const { t } = useLingui();
  const [isReplaying, setReplaying] = useState(false);
  const resource = item.type.startsWith('office') ? 'offices' : 'agents';
  return (
    <div className="flex flex-col gap-3 px-3 pt-1 pb-3">
      <Details>
        <Detail label={t`Record`}>
          <RecordLink resource={resource} id={item.subject} />
        </Detail>
        <Detail label={t`Message`}>
          <code className="text-xs">{item.messageId}</code>
        </Detail>
        <Detail label={t`Position`}>{item.position}</Detail>
        {item.nextAttemptAt !== null && (
          <Detail label={t`Next attempt`}>
            <RelativeTime time={item.nextAttemptAt} />
          </Detail>
        )}
      </Details>
      {item.attempts.length > 0 && <Attempts attempts={item.attempts} />}
      <div>
        <Button onClick={() => setReplaying(true)}>
          <RotateCcw aria-hidden />
          <Trans>Replay from here on …</Trans>
        </Button>
      </div>
      {isReplaying && (
        <ReplayDialog item={webhook} from={item.position} onClose={() => setReplaying(false)} />
      )}
    </div>
  );
}
