import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { mapResources } from '../../../api/contract/contracts.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import { firstValue, useViewState } from '../../../ui/browser/view-state.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { dayBefore, localDayOf, timesOfDay } from '../../directory/fields/local-time.ts';
import { changeLabels } from '../../directory/fields/scheduled-labels.ts';
import { isResourceName, resources } from '../../directory/resources/index.ts';
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
      <ChoiceFilter name="change" label={msg`Change`} choices={changeLabels} />
      <OfficeFilter label={t`Transfers to the office`} />
      <TextField
        label={t`From day`}
        type="date"
        value={localDayOf(firstValue(search.effectiveSince))}
        onChange={({ target: { value } }) =>
          changeView({ effectiveSince: value === '' ? undefined : timesOfDay(value).since })
        }
      />
      <TextField
        label={t`To day`}
        type="date"
        value={dayBefore(firstValue(search.effectiveBefore))}
        onChange={({ target: { value } }) =>
          changeView({ effectiveBefore: value === '' ? undefined : timesOfDay(value).before })
        }
      />
      <OneRecordFilter
        parameter="subject"
        resource={isResourceName(search.resource) ? search.resource : undefined}
        text={(name) => <Trans>Only changes to {name}</Trans>}
      />
    </FilterBar>
  );
}
