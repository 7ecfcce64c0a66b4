import { useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { hashKey, useQuery } from '@tanstack/react-query';
import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { rosterQuery } from '../../../api/client.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { ChevronDown, Plus } from '../../../icons.tsx';
import { type SearchParams, stringifySearch } from '../../../ui/browser/search-params.ts';
import { classNames, IconButton } from '../../../ui/button.tsx';
import { tabClasses } from '../../../ui/page.tsx';
import { Menu } from '../../../ui/popups/menu.tsx';
import type { ListView } from '../list/list-view.ts';
import { useOtherTabsViews } from './view-changes.ts';
import { queryOf, rememberWidths, searchOf } from './view-query.ts';

const SHOWN_MAX = 200;

const activeFilter = { status: 'active' };

export function useSavedViews(resource: ResourceName): readonly View[] {
  useOtherTabsViews();
  const { data } = useQuery(rosterQuery('views', 'list', { resource, sort: 'name', limit: SHOWN_MAX }));
  return data?.items ?? [];
}

/** The room for the menu of the tabs that have none, in pixels. */
const MORE_WIDTH = 88;

/** Counts the tabs of these widths that have room beside each other. */
function countFitting(widths: readonly number[], room: number): number {
  let end = 0;
  const ends = widths.map((width) => (end += width));
  return end <= room ? widths.length : ends.filter((one) => one <= room - MORE_WIDTH).length;
}

/** Counts the tabs that have room in their row. The others are out of sight there, where they can be measured. */
function useFitting(count: number) {
  const row = useRef<HTMLDivElement>(null);
  const [fitting, setFitting] = useState(count);
  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return;
    const measure = () => {
      const tabs = [...element.querySelectorAll<HTMLElement>('nav > a')];
      // The button that saves a view is the last; without room it is hidden.
      const { offsetWidth: saving = 0 } = element.querySelector<HTMLElement>(':scope > :last-child') ?? {};
      const widths = tabs.map(({ offsetWidth }) => offsetWidth + 2);
      setFitting(countFitting(widths, element.clientWidth - saving));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return { row, fitting };
}

/** The saved views of a list as tabs, after that of all records; those without room are in a menu. */
export function ViewTabs({ view: list, onSave }: { view: ListView; onSave: () => void }) {
  const { t } = useLingui();
  const { resource, search } = list;
  const views = useSavedViews(resource);
  const all: { id: string; name: string; search: SearchParams; view?: View }[] = [
    { id: 'all', name: t`All`, search: {} },
    { id: 'active', name: t({ message: 'Active', context: 'view' }), search: activeFilter },
    ...views.map((view) => ({ id: view.id, name: view.name, search: searchOf(view), view })),
  ];
  const { row, fitting } = useFitting(all.length);
  const choose = ({ view, search: chosen }: (typeof all)[number]) => {
    if (view !== undefined) {
      rememberWidths(resource, view);
      list.readWidths();
    }
    list.replace(chosen);
  };
  const onClick = (event: MouseEvent, tab: (typeof all)[number]) => {
    // The browser opens a link in another tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(tab);
  };
  const { q: _, sort: _sort, ...filters } = queryOf(search);
  const isActive = search.view === undefined && hashKey([filters]) === hashKey([activeFilter]);
  const current = all.find(({ id }) => id === (isActive ? 'active' : search.view)) ?? all[0];
  const hidden = all.slice(fitting);
  const hasCurrentHidden = current !== undefined && hidden.includes(current);
  const number = hidden.length;
  const more = hasCurrentHidden ? current.name : t`${number} more`;
  return (
    <div
      ref={row}
      className="relative flex min-w-0 shrink-[999] grow items-center gap-0.5 overflow-hidden sm:min-w-16 max-sm:order-last max-sm:-mx-4 max-sm:basis-full max-sm:overflow-x-auto max-sm:px-4"
    >
      <nav aria-label={t`Views`} className="flex h-7 gap-0.5 max-sm:h-9">
        {all.map((tab, at) => (
          <a
            key={tab.id}
            href={`/console/${resource}${stringifySearch(tab.search)}`}
            aria-current={tab === current ? 'page' : undefined}
            className={classNames(
              tabClasses,
              '-outline-offset-2',
              at >= fitting && 'sm:invisible sm:absolute',
            )}
            onClick={(event) => onClick(event, tab)}
          >
            {tab.name}
          </a>
        ))}
      </nav>
      {number > 0 && (
        <Menu
          look="quiet"
          size="small"
          label={t`${more}: views`}
          className={classNames('min-w-0 max-sm:hidden', hasCurrentHidden ? 'bg-active!' : 'text-muted!')}
          trigger={
            <>
              <span className="truncate">{more}</span>
              <ChevronDown aria-hidden />
            </>
          }
          items={hidden.map((tab) => ({
            id: tab.id,
            label: tab.name,
            isChecked: tab === current,
            onSelect: () => choose(tab),
          }))}
        />
      )}
      <IconButton
        size="small"
        label={t`Save as a new view…`}
        className="text-muted @max-4xl/list:hidden max-sm:hidden"
        onClick={onSave}
      >
        <Plus aria-hidden />
      </IconButton>
    </div>
  );
}
