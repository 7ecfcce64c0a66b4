import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { RecordName } from '../components/record-name.tsx';
import { contracts, type ResourceName } from '../contract/contracts.ts';
import type { FilterContract } from '../contract/types.ts';
import { filterLabel, filterValue } from '../fields/filter-labels.ts';
import type { ListView } from '../list/list-view.ts';
import { listValues } from '../page/search-params.ts';

/** As many values are shown; the others are counted. */
const SHOWN_MAX = 2;

/** One value of a filter, as people read it. */
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
  if (filter.kind === 'date')
    return i18n.date(`${value}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
  if (filter.kind === 'time') return i18n.date(value, { dateStyle: 'medium', timeStyle: 'short' });
  return filterValue(i18n, resource, filter.name, value);
}

function Chip({ view, filter, onEdit }: { view: ListView; filter: FilterContract; onEdit: () => void }) {
  const { t, i18n } = useLingui();
  const { resource, search, change } = view;
  const values = listValues(search, filter.name);
  const label = filterLabel(i18n, resource, filter.name);
  const more = values.length - SHOWN_MAX;
  return (
    <li className="inline-flex min-h-9 max-w-full items-stretch overflow-hidden rounded-md border border-line bg-selected text-sm">
      <button
        type="button"
        className="min-w-0 truncate px-3 -outline-offset-2 hover:bg-hover"
        onClick={onEdit}
      >
        <span className="text-muted">{label}: </span>
        {values.slice(0, SHOWN_MAX).map((value, at) => (
          <span key={value}>
            {at > 0 && ', '}
            <Value resource={resource} filter={filter} value={value} />
          </span>
        ))}
        {more > 0 && <span className="text-muted"> +{i18n.number(more)}</span>}
      </button>
      <button
        type="button"
        aria-label={t`Remove the filter ${label}`}
        title={t`Remove the filter ${label}`}
        className="grid w-9 place-items-center border-line border-s -outline-offset-2 hover:bg-hover [&_svg]:size-4"
        onClick={() => change({ [filter.name]: undefined })}
      >
        <X aria-hidden />
      </button>
    </li>
  );
}

/** The filters of a list, each with its values; pressing one edits it. */
export function FilterChips({ view, onEdit }: { view: ListView; onEdit: (name: string) => void }) {
  const { t } = useLingui();
  const active = contracts[view.resource].filters.filter(({ name }) => view.search[name] !== undefined);
  if (active.length === 0) return null;
  return (
    <ul aria-label={t`Filters`} className="contents">
      {active.map((filter) => (
        <Chip key={filter.name} view={view} filter={filter} onEdit={() => onEdit(filter.name)} />
      ))}
    </ul>
  );
}
