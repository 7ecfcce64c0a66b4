import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChoiceFilter, OfficeFilter } from '../../admin/filters.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/forms/field.tsx';
import { mapResources } from '../../contract/contracts.ts';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { isResourceName, resources } from '../../resources/index.ts';
import { useRecordName } from '../../resources/referred-records.ts';
import { dayBefore, dayOf, timesOfDay } from './day-range.ts';
import { changeLabels, statusLabels } from './state-labels.ts';

/** The filters of the list in the URL, by their names in the API. */
export const filterNames = [
  'status',
  'resource',
  'change',
  'officeId',
  'subject',
  'effectiveSince',
  'effectiveBefore',
] as const;

/** The record of which all changes are shown, with the way to those of others. */
function SubjectFilter({ id }: { id: string }) {
  const [search, changeView] = useViewState();
  const { resource } = search;
  const name = useRecordName(isResourceName(resource) ? resource : undefined, id);
  return (
    <p className="col-span-full flex flex-wrap items-center gap-2 text-sm">
      <Trans>Only changes to {name ?? id}</Trans>
      <Button onClick={() => changeView({ subject: undefined })}>
        <Trans>Show all</Trans>
      </Button>
    </p>
  );
}

/** The filters of the list: state, resource, change, office and days. */
export function Filters() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const subject = firstValue(search.subject);
  const isFiltered = filterNames.some((name) => search[name] !== undefined && search[name] !== '');
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] items-start gap-3">
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
        value={dayOf(firstValue(search.effectiveSince))}
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
      {subject !== undefined && <SubjectFilter id={subject} />}
      {isFiltered && (
        <Button
          look="quiet"
          className="self-end justify-self-start"
          onClick={() => changeView(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          <Trans>Clear the filters</Trans>
        </Button>
      )}
    </div>
  );
}
