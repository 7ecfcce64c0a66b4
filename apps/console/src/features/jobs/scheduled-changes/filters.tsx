import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ScheduledChangeStatus } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { rosterQuery } from '../../../api/client.ts';
import { mapResources } from '../../../api/contract/contracts.ts';
import { isResourceName, resources } from '../../../resources/index.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { firstValue, useParameter, useViewState } from '../../../ui/browser/view-state.ts';
import { Button, linkClasses } from '../../../ui/button.tsx';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { dayBefore, localDayOf, timesOfDay } from '../../fields/local-time.ts';
import { changeLabels } from '../../fields/scheduled-labels.ts';
import { JobActions } from '../job-actions.tsx';

export const filterNames = [
  'status',
  'resource',
  'change',
  'officeId',
  'subject',
  'jobId',
  'effectiveSince',
  'effectiveBefore',
] as const;

const statuses = ['pending', 'done', 'failed', 'cancelled'] as const;

export const statusLabels: Record<ScheduledChangeStatus, MessageDescriptor> = {
  pending: msg`Pending`,
  done: msg({ message: 'Done', context: 'scheduled change' }),
  failed: msg`Failed`,
  cancelled: msg`Cancelled`,
};

export const statusTones = {
  pending: 'warning',
  done: 'good',
  failed: 'danger',
  cancelled: 'neutral',
} as const;

/** The one state that is shown: pending, unless the address has a different one. */
export function shownStatus(search: SearchParams): ScheduledChangeStatus {
  const chosen = firstValue(search.status);
  return statuses.find((status) => status === chosen) ?? 'pending';
}

function OneJobFilter() {
  const [id, setId] = useParameter('jobId');
  const { data: job } = useQuery({ ...rosterQuery('jobs', 'get', { id }), enabled: id !== '' });
  if (id === '') return null;
  return (
    <div className="col-span-full flex flex-wrap items-center gap-2 text-sm">
      <Trans>
        Only changes of{' '}
        <Link to="/jobs/$id" params={{ id }} className={linkClasses}>
          one job
        </Link>
      </Trans>
      <Button onClick={() => setId(undefined)}>
        <Trans>Show all</Trans>
      </Button>
      {job !== undefined && <JobActions job={job} />}
    </div>
  );
}

export function Filters() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  return (
    <FilterBar names={filterNames}>
      <SelectField
        label={t`State`}
        className="w-full max-w-52"
        value={shownStatus(search)}
        onChange={(status) => changeView({ status: status === 'pending' ? undefined : status })}
        options={statuses.map((status) => [status, t(statusLabels[status])])}
      />
      <ChoiceFilter
        name="resource"
        label={msg`Records`}
        choices={mapResources((name) => resources[name].labels.many)}
      />
      <ChoiceFilter
        name="change"
        label={msg({ message: 'Change', context: 'scheduled change' })}
        choices={changeLabels}
      />
      <OfficeFilter label={t`Transfers to the office`} />
      <DateField
        label={t`From day`}
        value={localDayOf(firstValue(search.effectiveSince))}
        onChange={(day) => changeView({ effectiveSince: day === '' ? undefined : timesOfDay(day).since })}
      />
      <DateField
        label={t`To day`}
        value={dayBefore(firstValue(search.effectiveBefore))}
        onChange={(day) => changeView({ effectiveBefore: day === '' ? undefined : timesOfDay(day).before })}
      />
      <OneRecordFilter
        parameter="subject"
        resource={isResourceName(search.resource) ? search.resource : undefined}
        text={(name) => <Trans>Only changes to {name}</Trans>}
      />
      <OneJobFilter />
    </FilterBar>
  );
}
