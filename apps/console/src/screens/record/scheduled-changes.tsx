import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { queryClient, roster } from '../../api/client.ts';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { notifyError } from '../../components/error-text.tsx';
import { notify } from '../../components/notices.tsx';
import { ExactTime, RelativeTime } from '../../components/time.tsx';
import { useRecord } from '../../record/record-context.ts';
import { ReferenceLink } from '../../record/reference-link.tsx';

interface PendingChange {
  id: string;
  change: 'deactivate' | 'reactivate' | 'transfer' | 'transfer_agents';
  effectiveAt: string;
  officeId: string | null;
  reason: string | null;
}

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

/** The scheduled changes of the record, which whoever may schedule may cancel. */
export function ScheduledChanges() {
  const { t } = useLingui();
  const { resource, record } = useRecord();
  const { canCancelScheduled } = useRights();
  const cancel = useMutation({
    mutationFn: (id: string) => roster.scheduledChanges.cancel.mutate({ id }),
    onSuccess: () => {
      notify({ text: t`The scheduled change is cancelled` });
      void queryClient.invalidateQueries({ queryKey: [resource, 'get', { id: record.id }] });
    },
    onError: notifyError,
  });
  const pending = record.scheduledChanges as readonly PendingChange[];
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
