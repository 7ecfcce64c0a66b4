import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Pages } from '../../api/use-pages.ts';
import { firstValue, useViewState } from '../browser/view-state.ts';
import { Button, classNames } from '../button.tsx';
import { Detail, Details } from '../details.tsx';
import { ErrorBox } from '../error-text.tsx';
import { Page } from '../page.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../paged-table.tsx';
import { PANEL_TITLE, SidePanel } from '../side-panel.tsx';
import { ViewHeading } from '../view-heading.tsx';
import { AdminActions } from './admin-actions.tsx';
import type { AdminScreen, AdminTable, TablePath } from './definition.ts';
import { ChoiceFilter } from './filters.tsx';
import { FINDER_PARAMETERS, FinderSearch, FinderTabs, useFound } from './finder.tsx';

type Listed<Item> = AdminTable<Item> & { path?: TablePath };

const actionsColumn = <Item extends { id: string }>(label: string, screen: AdminTable<Item>) => ({
  id: 'actions',
  label,
  cell: (item: Item) => (
    <div className="flex flex-wrap gap-2">
      <AdminActions screen={screen} item={item} />
    </div>
  ),
});

function useColumns<Item extends { id: string }>(screen: Listed<Item>): Column<Item>[] {
  const { t, i18n } = useLingui();
  const [search] = useViewState();
  const { path, name, titleOf, finder, filters = [], parameters = [] } = screen;
  // The parameters of the list stay as they are; the rest of the URL is of the item that was open.
  const ofFinder = finder === undefined ? [] : FINDER_PARAMETERS;
  const names = ['sort', ...ofFinder, ...filters.map((filter) => filter.name), ...parameters];
  const kept = Object.fromEntries(names.map((parameter) => [parameter, search[parameter]]));
  const fields = screen.fields.flatMap(({ id, label, column, sort, cell, value }): Column<Item>[] => {
    const show = cell ?? value;
    if (column === undefined || show === undefined) return [];
    const shown = (item: Item) => show(item, i18n) ?? '–';
    return [{ id, label: t(label), width: column, ...(sort !== undefined && { sort }), cell: shown }];
  });
  return [
    {
      id: 'name',
      label: t(name.label),
      ...(name.sort !== undefined && { sort: name.sort }),
      cell: (item) => {
        const shown = name.link?.(item) ?? titleOf(item, i18n);
        const link =
          path === undefined ? (
            shown
          ) : (
            <Link to={`${path}/$id`} params={{ id: item.id }} search={kept} className={rowLinkClasses}>
              {shown}
            </Link>
          );
        const { disc, badge, more } = name;
        if (disc === undefined)
          return (
            <>
              {link}
              {more?.(item)}
            </>
          );
        return (
          <div className="flex items-center gap-3">
            {disc(item)}
            <div className="min-w-0 leading-4.5">
              <p className="flex flex-wrap items-center gap-x-1.5">
                {link}
                {badge?.(item)}
              </p>
              {more?.(item)}
            </div>
          </div>
        );
      },
    },
    ...fields,
    ...(path === undefined || screen.hasRowActions ? [actionsColumn(t`Action`, screen)] : []),
  ];
}

/** Opens the form for a new item, and has the focus again when a panel with the form is closed. */
function CreateButton<Item>({ create }: { create: NonNullable<AdminTable<Item>['create']> }) {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = search.create === 'true';
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Button
      ref={button}
      look="primary"
      hidden={create.isPanel === true && isOpen}
      onClick={() => changeView({ create: 'true' })}
    >
      <create.icon aria-hidden />
      {t(create.label)}
    </Button>
  );
}

function AdminList<Item extends { id: string }>({ screen }: { screen: Listed<Item> }) {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const { id } = useParams({ strict: false });
  const { labels, defaultSort, create, finder, filters = [], Filters, MoreTools } = screen;
  const title = t(labels.title);
  const { pages, counts } = useFound(finder, screen.useList(firstValue(search.sort) ?? defaultSort, search));
  const isCreating = search.create === 'true';
  const dialog = create !== undefined && (
    <create.Dialog isOpen={isCreating} onClose={() => changeView({ create: undefined })} />
  );
  const isBeside = create?.isPanel === true;
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto]">
      <Page
        title={title}
        count={counts?.[finder?.tabs[0]?.id ?? '']}
        intro={labels.description && t(labels.description)}
        tabs={finder && <FinderTabs label={title} finder={finder} counts={counts} />}
        actions={
          <>
            {finder !== undefined && <FinderSearch finder={finder} />}
            {MoreTools !== undefined && <MoreTools />}
            {create !== undefined && <CreateButton create={create} />}
          </>
        }
        width="table"
      >
        <div className={classNames('flex flex-col gap-3', finder && '-mt-4 [&_table]:border-t-0')}>
          {Filters !== undefined && <Filters />}
          {filters.length > 0 && (
            <div className="flex flex-wrap gap-3">
              {filters.map((filter) => (
                <ChoiceFilter key={filter.name} {...filter} />
              ))}
            </div>
          )}
          <PagedTable
            label={title}
            pages={pages}
            columns={useColumns(screen)}
            defaultSort={defaultSort}
            selectedId={id}
            empty={t(labels.empty)}
          />
          {!isBeside && dialog}
        </div>
      </Page>
      {isBeside && dialog}
      {!(isBeside && isCreating) && <Outlet />}
    </div>
  );
}

function AdminPanel<Item extends { id: string }>({ screen }: { screen: AdminScreen<Item> }) {
  const { t, i18n } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const { data: item, error, refetch } = useQuery(screen.itemQuery(id));
  const { labels, fields, Before, After } = screen;
  const [search] = useViewState();
  const title = item === undefined ? t(labels.one) : screen.titleOf(item, i18n);
  return (
    <SidePanel
      key={id}
      list={{ to: screen.path, search }}
      heading={
        <ViewHeading
          title={title}
          id={PANEL_TITLE}
          level={2}
          className="wrap-anywhere font-semibold text-xl leading-9"
        />
      }
      width={screen.isWide === true ? 'lg:w-[36rem] xl:w-[44rem]' : 'lg:w-[26rem] xl:w-[30rem]'}
    >
      <div className="flex flex-col gap-4 px-4 py-4">
        {item === undefined && error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {item !== undefined && (
          <>
            <div className="flex flex-wrap gap-2 empty:hidden">
              <AdminActions screen={screen} item={item} />
              {screen.MoreActions !== undefined && <screen.MoreActions item={item} />}
            </div>
            {Before !== undefined && <Before item={item} />}
            <Details>
              {fields.map((field) => {
                if (field.value === undefined || field.isHidden?.(item)) return null;
                return (
                  <Detail key={field.id} label={t(field.label)}>
                    {field.value(item, i18n)}
                  </Detail>
                );
              })}
            </Details>
            {After !== undefined && <After item={item} />}
          </>
        )}
      </div>
    </SidePanel>
  );
}

export function adminScreen<Item extends { id: string }>(screen: AdminScreen<Item>) {
  return { List: () => <AdminList screen={screen} />, Panel: () => <AdminPanel screen={screen} /> };
}

export function adminTable<Item extends { id: string }>(screen: Listed<Item>) {
  function Table({ pages }: { pages: Pages<Item> }) {
    const { t } = useLingui();
    // The sort of the URL is that of another list.
    const columns = useColumns(screen).map(({ sort: _, ...column }) => column);
    return (
      <PagedTable
        label={t(screen.labels.title)}
        pages={pages}
        columns={columns}
        empty={t(screen.labels.empty)}
      />
    );
  }
  return { List: () => <AdminList screen={screen} />, Table };
}
