import { useLingui } from '@lingui/react/macro';
import { Suspense, useRef } from 'react';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import { X } from '../../../../icons.tsx';
import { lazyComponent } from '../../../../ui/browser/lazy-components.ts';
import { listValues, type SearchParams } from '../../../../ui/browser/search-params.ts';
import { RecordName } from '../../../../ui/record-name.tsx';
import { filterValue } from '../../../fields/filter-labels.ts';
import { useRegions } from '../../../fields/regions.ts';
import type { ListView } from '../../list/list-view.ts';
import { operatorLabel, operatorOf, setFilters, withoutFilter } from './filter-operators.ts';
import { endsOf, findRange } from './filter-ranges.ts';
import { labelOfFilter, rangeText } from './range-labels.ts';

const FilterPopover = lazyComponent(() => import('./filter-popover.tsx'), 'FilterPopover');

/** Up to two values are named; more are counted. */
const NAMED_MAX = 2;

interface FilterWordsProps {
  resource: ResourceName;
  search: SearchParams;
  name: string;
}

/** A region by its name in the country of the filter, or by its code. */
function RegionName({ code, countries }: { code: string; countries: readonly string[] }) {
  const regions = useRegions(countries.length === 1 ? (countries[0] ?? '') : '');
  return regions?.find((region) => region.code === code)?.name ?? code;
}

/** A filter in words: "City is Porto or Braga". */
export function FilterPhrase({ resource, search, name }: FilterWordsProps) {
  const { t, i18n } = useLingui();
  const label = labelOfFilter(i18n, resource, name);
  const range = findRange(resource, name);
  const operator = operatorOf(resource, name, search);
  const { refersTo } = contracts[resource].filters.find((filter) => filter.name === name) ?? {};
  const values = listValues(search, name);
  const count = i18n.number(values.length);
  return (
    <>
      <b className="font-medium">{label}</b>
      {range !== undefined ? (
        <span>{rangeText(i18n, resource, range, endsOf(range, search))}</span>
      ) : (
        <>
          <span className={operator === 'is' ? 'text-muted' : 'font-medium'}>
            {operatorLabel(i18n, name, operator)}
          </span>
          {values.length > NAMED_MAX ? (
            <span>{t`${count} values`}</span>
          ) : (
            values.map((value, at) => (
              <span key={value} className="flex min-w-0 gap-[5px]">
                {at > 0 && <span className="text-muted">{t`or`}</span>}
                <span className="truncate">
                  {name === 'region' ? (
                    <RegionName code={value} countries={listValues(search, 'country')} />
                  ) : refersTo === undefined ? (
                    filterValue(i18n, resource, name, value)
                  ) : (
                    <RecordName resource={refersTo} id={value} />
                  )}
                </span>
              </span>
            ))
          )}
        </>
      )}
    </>
  );
}

interface ChipProps {
  view: ListView;
  name: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

function Chip({ view, name, isOpen, onOpen }: ChipProps) {
  const { t, i18n } = useLingui();
  const { resource, search } = view;
  const label = labelOfFilter(i18n, resource, name);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <li
      className={`inline-flex h-7 max-w-full shrink-0 items-stretch overflow-clip rounded-sm border max-sm:h-11 ${isOpen ? 'border-control bg-active' : 'border-line-strong bg-surface'}`}
    >
      <button
        ref={opener}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="flex min-w-0 items-center gap-[5px] whitespace-nowrap ps-2 pe-0.5 text-sm -outline-offset-2"
        onClick={() => onOpen(!isOpen)}
      >
        <FilterPhrase resource={resource} search={search} name={name} />
      </button>
      <button
        type="button"
        aria-label={t`Remove the filter ${label}`}
        data-tooltip={t`Remove the filter ${label}`}
        className="grid shrink-0 place-items-center px-1.5 text-muted -outline-offset-2 hover:text-text max-sm:px-3"
        onClick={() => view.change(withoutFilter(resource, search, name))}
      >
        <X aria-hidden className="size-3" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <FilterPopover view={view} name={name} opener={opener} onClose={() => onOpen(false)} />
        </Suspense>
      )}
    </li>
  );
}

/** The filters that are set, and the one that is being set, each with the popover that changes it. */
export function FilterChips({
  view,
  edited,
  onEdit,
}: {
  view: ListView;
  edited: string | undefined;
  onEdit: (name: string | undefined) => void;
}) {
  const { t } = useLingui();
  const names = setFilters(view.resource, view.search);
  const shown = edited === undefined || names.includes(edited) ? names : [...names, edited];
  if (shown.length === 0) return null;
  return (
    <ul aria-label={t`Filters`} className="contents">
      {shown.map((name) => (
        <Chip
          key={name}
          view={view}
          name={name}
          isOpen={edited === name}
          onOpen={(isOpen) => onEdit(isOpen ? name : undefined)}
        />
      ))}
    </ul>
  );
}
