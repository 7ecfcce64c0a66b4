import { Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent, ScheduledChange, ScheduledChangeQuery } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useEvents } from '../../api/live.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { ViewFrame } from '../../components/detail-panel.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../components/paged-table.tsx';
import { RecordName } from '../../components/record-name.tsx';
import { ExactTime } from '../../components/time.tsx';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { Filters, filterNames } from './filters.tsx';
import { changeLabels, statusLabels, statusTones } from './state-labels.ts';

const DEFAULT_SORT = 'effectiveAt';

/** Events of one moment cause one reading. */
const REFRESH_MS = 500;

/** Whether an event is about a scheduled change: one that was scheduled, happened, failed, or was cancelled. */
function isOfSchedule(event: FollowedEvent): boolean {
  const isScheduled = 'details' in event && event.details?.scheduledChangeId !== undefined;
  return isScheduled || 'scheduledChanges' in event.previous || event.type.endsWith('.change_failed');
}

/** Reads the list again when a change was scheduled, made or cancelled by anyone. */
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

function useColumns(): Column<ScheduledChange>[] {
  const { t } = useLingui();
  const [search] = useViewState();
  return [
    {
      id: 'record',
      label: t`Record`,
      cell: ({ id, resource, subject }) => (
        <Link to="/scheduled-changes/$id" params={{ id }} search={search} className={rowLinkClasses}>
          <RecordName resource={resource} id={subject} />
        </Link>
      ),
    },
    {
      id: 'change',
      label: t`Change`,
      width: 'medium',
      cell: ({ change, officeId }) => (
        <>
          {t(changeLabels[change])}
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
      id: 'effectiveAt',
      label: t`When`,
      sort: 'effectiveAt',
      cell: ({ effectiveAt }) => <ExactTime time={effectiveAt} />,
    },
    {
      id: 'status',
      label: t`State`,
      cell: ({ status, error }) => (
        <>
          <Badge tone={statusTones[status]}>{t(statusLabels[status])}</Badge>
          {error !== null && <p className="text-danger text-xs">{error}</p>}
        </>
      ),
    },
    {
      id: 'scheduledAt',
      label: t({ message: 'Scheduled', context: 'time' }),
      sort: 'scheduledAt',
      width: 'wide',
      cell: ({ scheduledAt }) => <ExactTime time={scheduledAt} />,
    },
    { id: 'actor', label: t`By`, width: 'widest', cell: ({ actor }) => actor?.name ?? '–' },
  ];
}

/** The parameters of the API in the URL of the view. */
function queryOf(search: Record<string, string | string[] | undefined>): ScheduledChangeQuery {
  const given = filterNames.filter((name) => search[name] !== undefined && search[name] !== '');
  const filters = Object.fromEntries(given.map((name) => [name, search[name]]));
  return { sort: firstValue(search.sort) ?? DEFAULT_SORT, ...filters } as ScheduledChangeQuery;
}

/** The changes that are scheduled, and those that happened, failed or were cancelled, with one of them beside the list. */
export function ScheduledChangesPage() {
  const { t } = useLingui();
  const [search] = useViewState();
  const { id } = useParams({ strict: false });
  useLiveSchedule();
  const pages = usePages('scheduledChanges', 'list', queryOf(search));
  return (
    <ViewFrame
      title={t`Scheduled changes`}
      description={t`What changes at a time: records that are deactivated, reactivated or transferred.`}
    >
      <Filters />
      <PagedTable
        label={t`Scheduled changes`}
        pages={pages}
        columns={useColumns()}
        defaultSort={DEFAULT_SORT}
        selectedId={id}
        empty={<Trans>There is no such change.</Trans>}
      />
    </ViewFrame>
  );
}
