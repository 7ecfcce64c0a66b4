import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { X } from '../../../icons.tsx';
import { resources } from '../../../resources/index.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import type { ListView } from '../list/list-view.ts';
import { countQuery } from '../list/queries.ts';
import { FilterPhrase } from './filters/filter-chips.tsx';
import { setFilters, withoutFilter } from './filters/filter-operators.ts';

const SEARCH = 'q';

/** Nothing matches: each filter is a button, with the number of records that dropping it finds. */
export function NoResults({ view }: { view: ListView }) {
  const { t, i18n } = useLingui();
  const { resource, search } = view;
  const { labels, counted } = resources[resource];
  const names = [...(search.q === undefined ? [] : [SEARCH]), ...setFilters(resource, search)];
  const without = (name: string): SearchParams => ({
    ...search,
    ...(name === SEARCH ? { q: undefined } : withoutFilter(resource, search, name)),
  });
  const counts = useQueries({
    queries: names.map((name) => countQuery(resource, without(name))),
  });
  const words = typeof search.q === 'string' ? search.q : '';
  return (
    <section className="pointer-events-none absolute inset-x-0 top-24 bottom-0 grid content-center justify-items-center gap-4 overflow-y-auto px-4 pb-16 *:pointer-events-auto">
      <h2 className="font-semibold text-lg">
        {names.length > 1 ? <Trans>{t(labels.none)}. Drop a filter:</Trans> : t(labels.none)}
      </h2>
      <ul className="w-full max-w-md divide-y divide-line-soft rounded-md border border-line">
        {names.map((name, at) => {
          const total = counts[at]?.data?.total;
          return (
            <li key={name}>
              <button
                type="button"
                className="flex min-h-11 w-full items-center gap-3 py-1 ps-3 pe-4 text-start -outline-offset-2 hover:bg-hover"
                onClick={() => view.replace(without(name))}
              >
                <X aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="flex min-w-0 flex-wrap gap-x-[5px] [&_b]:font-normal">
                  {name === SEARCH ? (
                    t`Search “${words}”`
                  ) : (
                    <FilterPhrase resource={resource} search={search} name={name} />
                  )}
                </span>
                <span className="ms-auto shrink-0 text-muted tabular-nums">
                  {total !== undefined && i18n._(counted(total))}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
