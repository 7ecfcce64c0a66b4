import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { FollowedEvent, ScheduledChange } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { roster, rosterQuery } from '../../../api/client.ts';
import { useEvents } from '../../../api/live.ts';
import { usePages } from '../../../api/use-pages.ts';
import { adminScreen } from '../../../ui/admin/admin-screen.tsx';
import { Badge, Callout } from '../../../ui/badge.tsx';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { RecordLink, RecordName } from '../../../ui/record-name.tsx';
import { ExactTime, RelativeTime } from '../../../ui/time.tsx';
import { cancelLabels, changeLabels } from '../../fields/scheduled-labels.ts';
import { Filters, filterNames, shownStatus, statusLabels, statusTones } from './filters.tsx';

/** Events of one moment cause one reading. */
const REFRESH_MS = 500;

function isOfSchedule(event: FollowedEvent): boolean {
  const isScheduled = 'details' in event && event.details?.scheduledChangeId !== undefined;
  return isScheduled || 'scheduledChanges' in event.previous || event.type.endsWith('.change_failed');
}

function useLiveSchedule(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEvents((event) => {
    if (!isOfSchedule(event)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => void client.invalidateQueries({ queryKey: ['scheduledChanges'] }),
      REFRESH_MS,
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

function queryOf(sort: string, search: SearchParams) {
  const given = filterNames.filter((name) => search[name] !== undefined && search[name] !== '');
  const filters = Object.fromEntries(given.map((name) => [name, search[name]]));
  return { sort, ...filters, status: shownStatus(search) };
}

function Failure({ item: { error, errorCode } }: { item: ScheduledChange }) {
  if (error === null) return null;
  return (
    <Callout tone="danger" title={<Trans>It failed</Trans>}>
      <p>{error}</p>
      <p>
        <code className="text-xs">{errorCode}</code>
      </p>
    </Callout>
  );
}

export const { List: ScheduledChangesPage, Panel: ScheduledChangePanel } = adminScreen<ScheduledChange>({
  resource: 'scheduledChanges',
  path: '/scheduled-changes',
  labels: {
    title: msg`Scheduled changes`,
    description: msg`Deactivations, reactivations and transfers scheduled for a later date.`,
    empty: msg`No matching scheduled changes`,
    one: msg`Scheduled change`,
  },
  defaultSort: 'effectiveAt',
  useList: (sort, search) => {
    useLiveSchedule();
    return usePages('scheduledChanges', 'list', queryOf(sort, search));
  },
  itemQuery: (id) => rosterQuery('scheduledChanges', 'get', { id }),
  titleOf: ({ change }, i18n) => i18n._(changeLabels[change]),
  name: {
    label: msg`Record`,
    link: ({ resource, subject }) => <RecordName resource={resource} id={subject} />,
  },
  Filters,
  parameters: filterNames,
  fields: [
    {
      id: 'record',
      label: msg`Record`,
      value: ({ resource, subject }) => <RecordLink resource={resource} id={subject} />,
    },
    {
      id: 'change',
      label: msg({ message: 'Change', context: 'scheduled change' }),
      column: 'medium',
      value: ({ change }, i18n) => i18n._(changeLabels[change]),
      cell: ({ change, officeId }, i18n) => (
        <>
          {i18n._(changeLabels[change])}
          {officeId !== null && (
            <p className="text-muted text-xs">
              <Trans>
                to <RecordName resource="offices" id={officeId} />
              </Trans>
            </p>
          )}
        </>
      ),
    },
    {
      id: 'officeId',
      label: msg`To the office`,
      isHidden: ({ officeId }) => officeId === null,
      value: ({ officeId }) => officeId !== null && <RecordLink resource="offices" id={officeId} />,
    },
    {
      id: 'cascade',
      label: msg`With the office`,
      isHidden: ({ cascade }) => !cascade,
      value: () => <Trans>its active agents</Trans>,
    },
    {
      id: 'effectiveAt',
      label: msg`When`,
      sort: 'effectiveAt',
      column: 'always',
      value: ({ effectiveAt: time }) => (
        <>
          <ExactTime time={time} /> (<RelativeTime time={time} isStop={false} />)
        </>
      ),
      cell: ({ effectiveAt }) => <ExactTime time={effectiveAt} />,
    },
    {
      id: 'status',
      label: msg`State`,
      column: 'always',
      value: ({ status }, i18n) => <Badge tone={statusTones[status]}>{i18n._(statusLabels[status])}</Badge>,
      cell: ({ status, error }, i18n) => (
        <>
          <Badge tone={statusTones[status]}>{i18n._(statusLabels[status])}</Badge>
          {error !== null && <p className="text-danger text-xs">{error}</p>}
        </>
      ),
    },
    { id: 'reason', label: msg`Reason`, value: ({ reason }) => reason },
    {
      id: 'scheduledAt',
      label: msg({ message: 'Scheduled', context: 'time' }),
      sort: 'scheduledAt',
      column: 'wide',
      value: ({ scheduledAt }) => <ExactTime time={scheduledAt} />,
    },
    { id: 'actor', label: msg`By`, column: 'widest', value: ({ actor }) => actor?.name },
    {
      id: 'finishedAt',
      label: msg`Finished`,
      value: ({ finishedAt }) => finishedAt && <ExactTime time={finishedAt} />,
    },
  ],
  hasRowActions: true,
  actions: [
    {
      id: 'cancel',
      label: ({ change }) => cancelLabels[change],
      isDanger: true,
      isOffered: ({ status }, { canCancelScheduled }) => status === 'pending' && canCancelScheduled,
      run: ({ id }) => roster.scheduledChanges.cancel.mutate({ id }),
      question: {
        title: () => msg`Cancel the scheduled change?`,
        confirm: ({ change }) => cancelLabels[change],
        text: ({ change, resource, subject, effectiveAt }, i18n) => (
          <>
            <p>
              {i18n._(changeLabels[change])}: <RecordName resource={resource} id={subject} />
            </p>
            <p>
              <Trans>
                The change scheduled <ExactTime time={effectiveAt} /> will be cancelled. It stays in the list,
                and you can schedule a new one.
              </Trans>
            </p>
          </>
        ),
      },
    },
  ],
  Before: Failure,
});
