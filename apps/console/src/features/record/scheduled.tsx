import { Trans, useLingui } from '@lingui/react/macro';
import type { PendingChange } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { queryClient, roster } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../resources/record.ts';
import { notifyError } from '../../ui/error-text.tsx';
import { notify } from '../../ui/notices.tsx';
import { Moment } from '../../ui/time.tsx';
import { pathLabels } from '../fields/field-labels.ts';
import type { OpenRecord } from './record-context.ts';
import { ReferenceLink } from './reference-link.tsx';

export const pendingOf = ({ scheduledChanges = [] }: DirectoryRecord) => scheduledChanges;

interface ScheduledProps {
  resource: ResourceName;
  change: PendingChange;
}

/** A scheduled change in words, without its day. */
export function ScheduledChange({ resource, change: { change, officeId, fields } }: ScheduledProps) {
  const { i18n } = useLingui();
  const office = officeId !== null && <ReferenceLink resource="offices" id={officeId} />;
  switch (change) {
    case 'deactivate':
      return <Trans>Deactivation</Trans>;
    case 'reactivate':
      return <Trans>Reactivation</Trans>;
    case 'transfer':
      return <Trans>Transfer to {office}</Trans>;
    case 'update': {
      const names = pathLabels(i18n, resource, fields);
      return <Trans>Change of {names}</Trans>;
    }
    case 'transfer_agents':
      return <Trans>Transfer of all agents to {office}</Trans>;
  }
}

/** A scheduled change in words, with its day. */
export function ScheduledWords(props: ScheduledProps) {
  const what = <ScheduledChange {...props} />;
  const day = <Moment time={props.change.effectiveAt} />;
  return (
    <Trans>
      {what} on {day}
    </Trans>
  );
}

export function ScheduledList({
  resource,
  changes,
}: {
  resource: ResourceName;
  changes: readonly PendingChange[];
}) {
  return (
    <ul className="flex flex-col gap-1">
      {changes.map((one) => (
        <li key={one.id}>
          <ScheduledWords resource={resource} change={one} />
        </li>
      ))}
    </ul>
  );
}

export function useCancelScheduled({ resource, record: { id } }: OpenRecord) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (scheduledId: string) => roster.scheduledChanges.cancel.mutate({ id: scheduledId }),
    onSuccess: () => {
      notify({ text: t`Scheduled change cancelled` });
      void queryClient.invalidateQueries({ queryKey: [resource, 'get', { id }] });
    },
    onError: notifyError,
  });
}
