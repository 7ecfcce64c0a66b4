import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { mapResources } from '../../../api/contract/contracts.ts';
import { isResourceName, resources } from '../../../resources/index.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import { firstValue, useViewState } from '../../../ui/browser/view-state.ts';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { dayBefore, localDayOf, timesOfDay } from '../../fields/local-time.ts';
import { changeLabels } from '../../fields/scheduled-labels.ts';
import { statusLabels } from './state-labels.ts';

export const filterNames = [
  'status',
  'resource',
  'change',
  'officeId',
  'subject',
  'effectiveSince',
  'effectiveBefore',
] as const;

export function Filters() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  return (
    <FilterBar names={filterNames}>
      <ChoiceFilter name="status" label={msg`State`} choices={statusLabels} />
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
    </FilterBar>
  );
}
