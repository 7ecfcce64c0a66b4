import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { listValues } from '../../../../ui/browser/search-params.ts';
import { X } from '../../../../ui/icons.tsx';
import { RecordName } from '../../../../ui/record-name.tsx';
import { filterLabel, filterValue } from '../../../fields/filter-labels.ts';
import type { ListView } from '../../list/list-view.ts';
import { endsOf, findRange } from './filter-ranges.ts';
import { rangeLabel, rangeText } from './range-labels.ts';

const SHOWN_MAX = 2;

function Value({
  resource,
  filter,
  value,
}: {
  resource: ResourceName;
  filter: FilterContract;
  value: string;
}) {
  const { i18n } = useLingui();
  const referred = filter.refersTo;
  if (referred !== undefined) return <RecordName resource={referred} id={value} />;
  return filterValue(i18n, resource, filter.name, value);
}

function Chip({
  label,
  onEdit,
  onRemove,
  children,
}: {
  label: string;
  onEdit: () => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <li className="inline-flex min-h-9 max-w-full items-stretch overflow-hidden rounded-sm border border-line bg-selected text-sm">
      <button
        type="button"
        className="min-w-0 truncate px-3 -outline-offset-2 hover:bg-hover"
        onClick={onEdit}
      >
        <span className="text-muted">{label}: </span>
        {children}
      </button>
      <button
        type="button"
        aria-label={t`Remove the filter ${label}`}
        data-tooltip={t`Remove the filter ${label}`}
        className="grid w-9 place-items-center border-line border-s -outline-offset-2 hover:bg-hover [&_svg]:size-4"
        onClick={onRemove}
      >
        <X aria-hidden />
      </button>
    </li>
  );
}

function Values({
  resource,
  filter,
  values,
}: {
  resource: ResourceName;
  filter: FilterContract;
  values: readonly string[];
}) {
  const { i18n } = useLingui();
  const more = values.length - SHOWN_MAX;
  return (
    <>
      {values.slice(0, SHOWN_MAX).map((value, at) => (
        <span key={value}>
          {at > 0 && ', '}
          <Value resource={resource} filter={filter} value={value} />
        </span>
      ))}
      {more > 0 && <span className="text-muted"> +{i18n.number(more)}</span>}
    </>
  );
}

export function FilterChips({ view, onEdit }: { view: ListView; onEdit: (name: string) => void }) {
  const { t, i18n } = useLingui();
  const { resource, search, change } = view;
  const active = contracts[resource].filters.filter(({ name }) => search[name] !== undefined);
  if (active.length === 0) return null;
  const chips = Map.groupBy(active, ({ name }) => findRange(resource, name)?.stem ?? name);
  return (
    <ul aria-label={t`Filters`} className="contents">
      {Array.from(chips, ([key, filters]) => {
        const [filter] = filters;
        if (filter === undefined) return null;
        const range = findRange(resource, filter.name);
        return (
          <Chip
            key={key}
            label={range === undefined ? filterLabel(i18n, resource, filter.name) : rangeLabel(i18n, range)}
            onEdit={() => onEdit(filter.name)}
            onRemove={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
          >
            {range === undefined ? (
              <Values resource={resource} filter={filter} values={listValues(search, filter.name)} />
            ) : (
              rangeText(i18n, resource, range, endsOf(range, search))
            )}
          </Chip>
        );
      })}
    </ul>
  );
}
