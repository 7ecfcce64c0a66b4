import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChoiceFilter, OfficeFilter } from '../../admin/filters.tsx';
import { useRights } from '../../api/caller.ts';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { percent, reasonKinds } from '../../fields/reason-labels.ts';
import { pairParameters, pairSearch } from '../../merges/pairs.ts';
import { firstValue, useParameter, useViewState } from '../../page/view-state.ts';
import { useRecordName } from '../../resources/referred-records.ts';

/** The least scores that are offered; without one the service has its own. */
const scores = [0.5, 0.6, 0.7, 0.9, 0.95];
/** The least score of the service, if none is given. */
export const SCORE_DEFAULT = 0.8;

function ScoreFilter() {
  const { t, i18n } = useLingui();
  const [value, setValue] = useParameter('minScore');
  const options = [...scores, SCORE_DEFAULT].toSorted((one, other) => one - other);
  return (
    <SelectField
      label={t`Probability`}
      className="w-full max-w-52"
      value={value}
      onChange={(event) => setValue(event.target.value)}
    >
      {options.map((score) => {
        const least = percent(i18n, score);
        return (
          <option key={score} value={score === SCORE_DEFAULT ? '' : score}>
            {t`at least ${least}`}
          </option>
        );
      })}
    </SelectField>
  );
}

/** The record of which all pairs are shown, with the way to those of others. */
function RecordFilter({ resource, id }: { resource: ResourceName; id: string }) {
  const [, changeView] = useViewState();
  const name = useRecordName(resource, id) ?? id;
  return (
    <p className="col-span-full flex flex-wrap items-center gap-2 text-sm">
      <Trans>Only pairs with {name}</Trans>
      <Button onClick={() => changeView({ recordId: undefined })}>
        <Trans>Show all</Trans>
      </Button>
    </p>
  );
}

/** The filters of the list of pairs: what was decided, the score, what they have in common, the office and the record. */
export function Filters({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can } = useRights();
  const [search, changeView] = useViewState();
  const { sort: _, ...filters } = pairSearch(search);
  const recordId = firstValue(search.recordId);
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] items-start gap-3">
      <ChoiceFilter
        name="state"
        label={msg`State`}
        none={msg`To be decided`}
        choices={{ dismissed: msg`Not the same`, any: msg`All` }}
      />
      <ScoreFilter />
      <ChoiceFilter name="kind" label={msg`In common`} none={msg`Anything`} choices={reasonKinds} />
      {can('offices:read') && <OfficeFilter label={t`Office`} />}
      {recordId !== undefined && <RecordFilter resource={resource} id={recordId} />}
      {Object.keys(filters).length > 0 && (
        <Button
          look="quiet"
          className="self-end justify-self-start"
          onClick={() => changeView(Object.fromEntries(pairParameters.map((name) => [name, undefined])))}
        >
          <Trans>Clear the filters</Trans>
        </Button>
      )}
    </div>
  );
}
