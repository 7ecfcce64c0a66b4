import { Trans, useLingui } from '@lingui/react/macro';
import { countries } from '@roster/contract/countries';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { settingsQuery } from '../../../../api/settings.ts';
import { resources } from '../../../../resources/index.ts';
import { listValues } from '../../../../ui/browser/search-params.ts';
import { Button } from '../../../../ui/button.tsx';
import { folded } from '../../../../ui/folded.ts';
import { DateField } from '../../../../ui/forms/date-field.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../../ui/forms/field.tsx';
import { RecordsField } from '../../../../ui/forms/records-field.tsx';
import { Select, smallSelectClasses } from '../../../../ui/forms/select.tsx';
import { PopoverPopup } from '../../../../ui/popups/popover-popup.tsx';
import { durationText, isDuration } from '../../../fields/durations.ts';
import { filterLabel, filterValue } from '../../../fields/filter-labels.ts';
import { localDayOf, timesOfDay } from '../../../fields/local-time.ts';
import { countryPlaces, placesByName } from '../../../fields/places.ts';
import { type Region, useRegions } from '../../../fields/regions.ts';
import { CountryControl } from '../../../record/edit/place-controls.tsx';
import type { ListView } from '../../list/list-view.ts';
import {
  filterParams,
  type Operator,
  operatorLabel,
  operatorOf,
  operatorsOf,
  withoutFilter,
} from './filter-operators.ts';
import {
  type Ends,
  endsOf,
  type FilterRange,
  findRange,
  hasEnds,
  paramsOf,
  windowEnds,
  windowOf,
} from './filter-ranges.ts';
import { labelOfFilter } from './range-labels.ts';

/** The pause in typing after which the list follows, in milliseconds. */
const DELAY_MS = 300;
const DAYS_DEFAULT = { next: 60, last: 30 };
const DAYS_MAX = 9_999;
/** As many choices can be seen at once; more are found by what one types. */
const CHOICES_MAX = 8;

interface ValuesProps {
  resource: ResourceName;
  filter: FilterContract;
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
}

type ChoicesProps = Pick<ValuesProps, 'filter' | 'label' | 'values' | 'onChange'> & {
  choices: readonly string[];
  labelOf: (choice: string) => string;
};

function Choices({ filter, label, values, onChange, choices, labelOf }: ChoicesProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { isRepeatable } = filter;
  const shown = choices.filter((choice) => folded(labelOf(choice)).includes(folded(text.trim())));
  return (
    <div className="flex min-h-0 flex-col gap-1">
      {choices.length > CHOICES_MAX && (
        <TextField
          label={<span className="sr-only">{t`Search`}</span>}
          type="search"
          placeholder={t`Search`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <fieldset className="max-h-72 overflow-y-auto">
        <legend className="sr-only">{label}</legend>
        {shown.map((choice) => (
          <CheckboxField
            key={choice}
            type={isRepeatable ? 'checkbox' : 'radio'}
            name={filter.name}
            label={labelOf(choice)}
            className="min-h-8! rounded-sm px-1 hover:bg-hover"
            checked={values.includes(choice)}
            onChange={({ target }) => {
              if (!isRepeatable) return onChange([choice]);
              const others = values.filter((value) => value !== choice);
              onChange(target.checked ? [...others, choice] : others);
            }}
          />
        ))}
      </fieldset>
    </div>
  );
}

/** Countries or regions by their names. */
function Places({ places, ...props }: ValuesProps & { places: readonly Region[] }) {
  const { i18n } = useLingui();
  const names = new Map(placesByName(places, i18n.locale).map(({ code, name }) => [code, name]));
  return <Choices {...props} choices={[...names.keys()]} labelOf={(code) => names.get(code) ?? code} />;
}

/** The regions of a country, which is that of the filter or of the directory unless another is chosen. */
function Regions({
  countries: given,
  onCountry,
  ...props
}: ValuesProps & { countries: readonly string[]; onCountry: (code: string) => void }) {
  const { t } = useLingui();
  const { label, values, onChange } = props;
  const { data: settings } = useQuery(settingsQuery);
  const [chosen, setChosen] = useState<string>();
  const country = chosen ?? given[0] ?? settings?.defaultCountry ?? '';
  const regions = useRegions(country);
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <CountryControl label={t`Country`} value={country} onChange={setChosen} />
      {regions?.length === 0 && <Lines label={label} values={values} onChange={onChange} />}
      {regions !== undefined && regions.length > 0 && (
        <Places
          {...props}
          places={regions}
          onChange={(next) => {
            onChange(next);
            if (next.length > values.length) onCountry(country);
          }}
        />
      )}
    </div>
  );
}

/** A text that the list follows once it is no longer typed. */
function Lines({ label, values, onChange }: Pick<ValuesProps, 'label' | 'values' | 'onChange'>) {
  const { t } = useLingui();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const send = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      send.current?.();
    },
    [],
  );
  return (
    <TextAreaField
      label={<span className="sr-only">{label}</span>}
      rows={2}
      hint={t`One value per line. Matches records with any of them.`}
      defaultValue={values.join('\n')}
      onChange={({ target }) => {
        const lines = target.value.split('\n').map((line) => line.trim());
        const next = [...new Set(lines)].filter((line) => line !== '');
        clearTimeout(timer.current);
        send.current = () => {
          send.current = undefined;
          onChange(next);
        };
        timer.current = setTimeout(() => send.current?.(), DELAY_MS);
      }}
    />
  );
}

function Values(props: ValuesProps) {
  const { t, i18n } = useLingui();
  const { filter, label, values, onChange } = props;
  const [first = ''] = values;
  const one = (value: string) => onChange(value === '' ? [] : [value]);
  if (filter.kind === 'choice')
    return (
      <Choices
        {...props}
        choices={filter.choices ?? []}
        labelOf={(choice) => filterValue(i18n, props.resource, filter.name, choice)}
      />
    );
  if (filter.name === 'country') return <Places {...props} places={countryPlaces(countries, i18n.locale)} />;
  if (filter.refersTo !== undefined)
    return (
      <RecordsField
        resource={filter.refersTo}
        label={label}
        addLabel={t(resources[filter.refersTo].labels.add)}
        removeLabel={t`Remove`}
        ids={values}
        onChange={onChange}
      />
    );
  // A duration stays what it is until a date is chosen instead.
  const relative = isDuration(first) ? durationText(i18n, first) : undefined;
  if (filter.kind === 'date')
    return (
      <DateField label={label} hint={relative} value={relative === undefined ? first : ''} onChange={one} />
    );
  if (filter.kind === 'time')
    return (
      <DateField
        label={label}
        hint={relative}
        value={relative === undefined ? localDayOf(first) : ''}
        onChange={(day) => one(day === '' ? '' : timesOfDay(day).since)}
      />
    );
  return <Lines label={label} values={values} onChange={onChange} />;
}

interface SpanProps {
  resource: ResourceName;
  range: FilterRange;
  ends: Ends;
  operator: Operator;
  onChange: (ends: Ends) => void;
}

function Span({ resource, range, ends, operator, onChange }: SpanProps) {
  const { t, i18n } = useLingui();
  const found = windowOf(range, ends);
  const [days, setDays] = useState(String(found?.days ?? ''));
  if (operator === 'next' || operator === 'last')
    return (
      <div className="flex items-center gap-2">
        <input
          type="number"
          aria-label={t`Number of days`}
          min={1}
          max={DAYS_MAX}
          className="h-7 w-18 rounded-sm border border-control bg-surface px-2.5 text-base tabular-nums sm:text-sm"
          value={days}
          onChange={({ target }) => {
            setDays(target.value);
            const number = Number(target.value);
            if (number >= 1 && number <= DAYS_MAX)
              onChange(windowEnds(range, { direction: operator, days: number }));
          }}
        />
        <span>{t`days`}</span>
      </div>
    );
  const { since, before } = range;
  const end = (
    filter: FilterContract,
    value: string | undefined,
    set: (next: string | undefined) => void,
  ) => (
    <Values
      resource={resource}
      filter={filter}
      label={filterLabel(i18n, resource, filter.name)}
      values={value === undefined ? [] : [value]}
      onChange={([next]) => set(next)}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      {since && end(since, ends.since, (next) => onChange({ ...ends, since: next }))}
      {before && end(before, ends.before, (next) => onChange({ ...ends, before: next }))}
    </div>
  );
}

interface FilterValuesProps {
  view: ListView;
  filter: FilterContract;
  label: string;
  operator: Operator;
}

/** The values of a filter, of which each change is a change of the list. */
function FilterValues({ view, filter, label, operator }: FilterValuesProps) {
  const { resource, search, change } = view;
  const { name } = filter;
  const props = {
    resource,
    filter,
    label,
    values: listValues(search, name),
    onChange: (next: string[]) => change(filterParams(search, name, { operator, values: next })),
  };
  if (name !== 'region') return <Values {...props} />;
  const chosen = listValues(search, 'country');
  return (
    <Regions
      {...props}
      countries={chosen}
      onCountry={(country) => {
        // The same code is a region of several countries.
        if (operator === 'is' && !chosen.includes(country))
          change(filterParams(search, 'country', { operator: 'is', values: [...chosen, country] }));
      }}
    />
  );
}

interface FilterPopoverProps {
  view: ListView;
  name: string;
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The operator and the values of one filter, at its chip. The list follows at once. */
export function FilterPopover({ view, name, opener, onClose }: FilterPopoverProps) {
  const { t, i18n } = useLingui();
  const { resource, search, change, list } = view;
  const label = labelOfFilter(i18n, resource, name);
  const range = findRange(resource, name);
  const filter = contracts[resource].filters.find((one) => one.name === name);
  const operators = operatorsOf(resource, name);
  const given = operatorOf(resource, name, search);
  const ends = range === undefined ? {} : endsOf(range, search);
  const [first = given] = operators;
  // A span of time and a field that is empty begin with something that is worth a look.
  const isNew = range === undefined ? !operators.includes(given) : !hasEnds(ends);
  const [operator, setOperator] = useState<Operator>(isNew ? first : given);
  const values = listValues(search, name);
  const usual = (to: Operator) => {
    if (range === undefined || (to !== 'next' && to !== 'last')) return {};
    return windowEnds(range, { direction: to, days: DAYS_DEFAULT[to] });
  };
  const paramsFor = (to: Operator) =>
    range === undefined ? filterParams(search, name, { operator: to, values }) : paramsOf(range, usual(to));
  const begin = useEffectEvent(() => {
    if (isNew) change(paramsFor(operator));
  });
  useEffect(() => begin(), []);
  const choose = (to: Operator) => {
    setOperator(to);
    change(paramsFor(to));
  };
  const hasValues = operator === 'is' || operator === 'isNot';
  return (
    <PopoverPopup label={label} opener={opener} width="w-74" onClose={onClose}>
      <div className="flex items-center gap-2 ps-3 pe-2 pt-2">
        <h2 className="min-w-0 grow truncate font-semibold text-sm">{label}</h2>
        {operators.length > 1 && (
          <Select
            aria-label={t`Operator`}
            className={smallSelectClasses}
            value={operator}
            options={operators.map((one) => [one, operatorLabel(i18n, name, one)] as const)}
            onChange={choose}
          />
        )}
      </div>
      <form
        className="min-h-0 overflow-y-auto px-3 pt-2 pb-1 empty:hidden"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {range !== undefined ? (
          <Span
            key={operator}
            resource={resource}
            range={range}
            ends={isNew ? usual(operator) : ends}
            operator={operator}
            onChange={(next) => change(paramsOf(range, next))}
          />
        ) : (
          hasValues &&
          filter !== undefined && (
            <FilterValues view={view} filter={filter} label={label} operator={operator} />
          )
        )}
      </form>
      <div className="flex items-center justify-between gap-2 ps-3 pe-2 pt-1 pb-2 text-muted text-xs">
        <span role="status" className="tabular-nums">
          {list !== undefined && t(resources[resource].counted(list.total))}
        </span>
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            onClose();
            change(withoutFilter(resource, search, name));
          }}
        >
          <Trans>Clear</Trans>
        </Button>
      </div>
    </PopoverPopup>
  );
}
