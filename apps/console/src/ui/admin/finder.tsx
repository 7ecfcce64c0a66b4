import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../../api/caller.ts';
import type { Pages } from '../../api/use-pages.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { firstValue, useParameter, useViewState } from '../browser/view-state.ts';
import { tabClasses } from '../page.tsx';
import { SearchBox } from '../search-box.tsx';
import type { AdminFinder } from './definition.ts';

/** The parameters of the URL. */
export const FINDER_PARAMETERS = ['tab', 'q'] as const;

export interface Found<Item> {
  pages: Pages<Item>;
  /** By the IDs of tabs; undefined until the whole list was read. */
  counts: Readonly<Record<string, number>> | undefined;
}

/** The items of the chosen tab that have every word of the search. Both read the whole list, page by page. */
export function useFound<Item>(finder: AdminFinder<Item> | undefined, pages: Pages<Item>): Found<Item> {
  const [search] = useViewState();
  const { caller } = useRights();
  const { rows, hasMore, isLoadingMore, loadMore } = pages;
  const words = (firstValue(search.q) ?? '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const tab = finder?.tabs.find(({ id }) => id === firstValue(search.tab)) ?? finder?.tabs[0];
  const isNarrowed = words.length > 0 || tab !== finder?.tabs[0];
  useEffect(() => {
    if (isNarrowed && hasMore && !isLoadingMore) loadMore();
  });
  if (finder === undefined || tab === undefined || rows === undefined) return { pages, counts: undefined };
  const isFound = (item: Item) => {
    const text = finder.textOf(item).toLocaleLowerCase();
    return tab.has(item, caller) && words.every((word) => text.includes(word));
  };
  const countOf = (has: (typeof tab)['has']) => rows.filter((item) => has(item, caller)).length;
  return {
    pages: { ...pages, rows: rows.filter(isFound) },
    counts: hasMore ? undefined : Object.fromEntries(finder.tabs.map(({ id, has }) => [id, countOf(has)])),
  };
}

export function FinderTabs<Item>({
  label,
  finder,
  counts,
}: {
  label: string;
  finder: AdminFinder<Item>;
  counts: Found<Item>['counts'];
}) {
  const { t } = useLingui();
  const [search] = useViewState();
  const [first] = finder.tabs;
  const current = firstValue(search.tab) ?? first?.id;
  return (
    <nav aria-label={label} className="flex gap-0.5">
      {finder.tabs.map((tab) => (
        <Link
          key={tab.id}
          to="."
          search={{ ...search, tab: tab === first ? undefined : tab.id }}
          replace
          activeOptions={{ exact: true }}
          activeProps={{ 'aria-current': undefined }}
          aria-current={tab.id === current ? 'page' : undefined}
          className={tabClasses}
        >
          {t(tab.label)}
          {tab !== first && tab.isCounted !== false && counts !== undefined && (
            <span className="font-normal tabular-nums">{counts[tab.id]}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

export function FinderSearch<Item>({ finder }: { finder: AdminFinder<Item> }) {
  const { t } = useLingui();
  const [q, setQ] = useParameter('q');
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: msg`Search`, group: 'list', run: () => input.current?.focus() }]);
  const leave = () => document.querySelector<HTMLAnchorElement>('main tbody a')?.focus();
  return (
    <SearchBox ref={input} placeholder={t(finder.searchLabel)} value={q} onChange={setQ} onLeave={leave} />
  );
}
