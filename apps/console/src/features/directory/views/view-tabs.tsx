import { useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
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
import { rememberWidths, searchOf } from './view-query.ts';

const SHOWN_MAX = 200;

export function useSavedViews(resource: ResourceName): readonly View[] {
  useOtherTabsViews();
  const { data } = useQuery(rosterQuery('views', 'list', { resource, sort: 'name', limit: SHOWN_MAX }));
  return data?.items ?? [];
}

function useFitting(count: number) {
  const nav = useRef<HTMLElement>(null);
  const [fitting, setFitting] = useState(count);
  useLayoutEffect(() => {
    const element = nav.current;
    if (element === null) return;
    const measure = () => {
      const links = [...element.querySelectorAll<HTMLElement>(':scope > a')];
      const first = links[0]?.offsetTop ?? 0;
      setFitting(links.filter(({ offsetTop }) => offsetTop === first).length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return { nav, fitting };
}

/** The saved views of a list as tabs, after that of all records; those without room are in a menu. */
export function ViewTabs({ view: list, onSave }: { view: ListView; onSave: () => void }) {
  const { t } = useLingui();
  const { resource, search } = list;
  const views = useSavedViews(resource);
  const all: { id: string; name: string; search: SearchParams; view?: View }[] = [
    { id: 'all', name: t`All`, search: {} },
    ...views.map((view) => ({ id: view.id, name: view.name, search: searchOf(view), view })),
  ];
  const { nav, fitting } = useFitting(all.length);
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
  const current = all.find(({ id }) => id === search.view) ?? all[0];
  const hidden = all.slice(fitting);
  const hasCurrentHidden = current !== undefined && hidden.includes(current);
  const number = hidden.length;
  return (
    <div className="flex min-w-0 shrink grow basis-48 items-center gap-0.5 max-sm:order-last max-sm:-mx-4 max-sm:basis-full max-sm:overflow-x-auto max-sm:px-4">
      <nav
        ref={nav}
        aria-label={t`Views`}
        className="flex h-7 min-w-0 flex-wrap gap-0.5 overflow-hidden max-sm:h-9 max-sm:flex-nowrap max-sm:overflow-visible"
      >
        {all.map((tab, at) => (
          <a
            key={tab.id}
            href={`/console/${resource}${stringifySearch(tab.search)}`}
            aria-current={tab === current ? 'page' : undefined}
            className={classNames(tabClasses, '-outline-offset-2', at >= fitting && 'invisible')}
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
          label={t`More views`}
          className={hasCurrentHidden ? 'bg-active!' : 'text-muted!'}
          trigger={
            <>
              {hasCurrentHidden ? current.name : t`${number} more`}
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
