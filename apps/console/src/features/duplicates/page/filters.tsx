import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { ChoiceFilter, FilterBar, OfficeFilter, OneRecordFilter } from '../../../ui/admin/filters.tsx';
import { useParameter } from '../../../ui/browser/view-state.ts';
import { SelectField } from '../../../ui/forms/select.tsx';
import { percent, reasonKinds } from '../../fields/reason-labels.ts';
import { pairFilters } from '../pairs.ts';

const scores = [0.5, 0.6, 0.7, 0.9, 0.95];
/** The least score of the service, if none is given. */
const SCORE_DEFAULT = 0.8;

function ScoreFilter() {
  const { t, i18n } = useLingui();
  const [value, setValue] = useParameter('minScore');
  const options = [...scores, SCORE_DEFAULT].toSorted((one, other) => one - other);
  return (
    <SelectField
      label={t`Probability`}
      className="w-full max-w-52"
      value={value}
      onChange={(chosen) => setValue(String(chosen))}
      options={options.map((score) => {
        const least = percent(i18n, score);
        return [score === SCORE_DEFAULT ? '' : score, t`at least ${least}`];
      })}
    />
  );
}

export function Filters({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const { can } = useRights();
  return (
    <FilterBar names={pairFilters}>
      <ChoiceFilter
        name="state"
        label={msg`State`}
        none={msg`To review`}
        choices={{ dismissed: msg`Not duplicates`, any: msg`All` }}
      />
      <ScoreFilter />
      <ChoiceFilter name="kind" label={msg`In common`} none={msg`Anything`} choices={reasonKinds} />
      {can('offices:read') && <OfficeFilter label={t`Office`} />}
      <OneRecordFilter
        parameter="recordId"
        resource={resource}
        text={(name) => <Trans>Only pairs with {name}</Trans>}
      />
    </FilterBar>
  );
}
