import { Trans } from '@lingui/react/macro';
import { useRights } from '../../api/caller.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ExactTime, RelativeTime } from '../../ui/time.tsx';
import { useRecord } from '../record/record-context.ts';
import { ReferenceLink } from '../record/reference-link.tsx';
import { type PendingChange, pendingOf, useCancelScheduled } from '../record/scheduled.tsx';

function What({ change: { change, officeId } }: { change: PendingChange }) {
  const office = officeId !== null && <ReferenceLink resource="offices" id={officeId} />;
  switch (change) {
    case 'deactivate':
      return <Trans>Will be deactivated</Trans>;
    case 'reactivate':
      return <Trans>Will be reactivated</Trans>;
    case 'transfer':
      return <Trans>Will be transferred to {office}</Trans>;
    default:
      return <Trans>All agents will be transferred to {office}</Trans>;
  }
}

export function ScheduledChanges() {
  const open = useRecord();
  const { canCancelScheduled } = useRights();
  const cancel = useCancelScheduled(open);
  const pending = pendingOf(open.record);
  if (pending.length === 0) return null;
  return (
    <Callout tone="warning" title={<Trans>Scheduled</Trans>}>
      <ul className="flex flex-col gap-2">
        {pending.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3">
            <span className="min-w-0 grow">
              <What change={one} /> · <ExactTime time={one.effectiveAt} /> (
              <RelativeTime time={one.effectiveAt} isStop={false} />)
              {one.reason !== null && <span className="block">{one.reason}</span>}
            </span>
            {canCancelScheduled && (
              <Button look="destructive" disabled={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
                <Trans>Cancel the change</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
