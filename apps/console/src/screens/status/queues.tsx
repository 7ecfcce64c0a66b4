import { useLingui } from '@lingui/react/macro';
import type { ServiceStatus } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { ValueTable } from '../../components/value-table.tsx';
import { LATE_S, oldestDeliveryS } from './problems.ts';
import { durationText } from './quantity.ts';

/** Whether what is due in a queue is worked off, in a word. */
function Pace({ ageS, queue }: { ageS: number; queue: keyof typeof LATE_S }) {
  const { t } = useLingui();
  return ageS > LATE_S[queue] ? (
    <Badge tone={queue === 'sequencer' ? 'danger' : 'warning'}>{t`Late`}</Badge>
  ) : (
    <Badge tone="good">{t`On time`}</Badge>
  );
}

const link = 'text-accent hover:underline';

/** The queues: events that wait for their positions, deliveries, jobs and scheduled changes. */
export function Queues({ status }: { status: ServiceStatus }) {
  const { t, i18n } = useLingui();
  const { sequencer, deliveries, jobs, scheduledChanges } = status;
  const count = (value: number) => i18n.number(value);
  const age = (seconds: number) => (seconds === 0 ? '–' : durationText(seconds, i18n.locale));
  return (
    <ValueTable
      label={t`Queues`}
      heads={[t`Queue`, t`State`, t`Waiting`, t`Due`, t`In progress`, t`Oldest due`]}
      rows={[
        {
          id: 'sequencer',
          cells: [
            t`Sequencer of events`,
            <Pace key="pace" ageS={sequencer.oldestWaitingS} queue="sequencer" />,
            count(sequencer.waiting),
            count(sequencer.waiting),
            '–',
            age(sequencer.oldestWaitingS),
          ],
        },
        {
          id: 'deliveries',
          cells: [
            <Link key="link" to="/webhooks" className={link}>
              {t`Deliveries of webhooks`}
            </Link>,
            <Pace key="pace" ageS={oldestDeliveryS(deliveries)} queue="deliveries" />,
            count(deliveries.pending),
            count(deliveries.due),
            count(deliveries.inFlight),
            age(oldestDeliveryS(deliveries)),
          ],
        },
        {
          id: 'jobs',
          cells: [
            <Link key="link" to="/jobs" className={link}>
              {t`Jobs`}
            </Link>,
            <Pace key="pace" ageS={jobs.oldestQueuedS} queue="jobs" />,
            count(jobs.queued),
            count(jobs.queued),
            count(jobs.running),
            age(jobs.oldestQueuedS),
          ],
        },
        {
          id: 'scheduled-changes',
          cells: [
            <Link key="link" to="/scheduled-changes" search={{ status: 'pending' }} className={link}>
              {t`Scheduled changes`}
            </Link>,
            <Pace key="pace" ageS={scheduledChanges.oldestDueS} queue="scheduledChanges" />,
            count(scheduledChanges.pending),
            count(scheduledChanges.due),
            '–',
            age(scheduledChanges.oldestDueS),
          ],
        },
      ]}
    />
  );
}
