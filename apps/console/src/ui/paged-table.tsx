import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Pages } from '../api/use-pages.ts';
import { ArrowDown, ArrowUp } from '../icons.tsx';
import { ArrowUpDown } from '../more-icons.tsx';
import { firstValue, useViewState } from './browser/view-state.ts';
import { classNames } from './button.tsx';
import { ErrorBox } from './error-text.tsx';
import { LoadMore } from './load-more.tsx';

/** Columns that are left out where the table is narrower: the details of the row have them all. */
const widths = {
  always: 'table-cell',
  medium: 'hidden @lg:table-cell',
  broad: 'hidden @2xl:table-cell',
  wide: 'hidden @3xl:table-cell',
  widest: 'hidden @5xl:table-cell',
} as const;

export interface Column<Row> {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  sort?: string;
  /** From which width of the table on it is shown; always unless given. */
  width?: keyof typeof widths;
}

interface PagedTableProps<Row> {
  label: string;
  pages: Pages<Row>;
  columns: readonly Column<Row>[];
  defaultSort?: string;
  selectedId?: string | undefined;
  empty: ReactNode;
}

/** The classes of the link in the first cell of a row, which takes clicks on the whole row. */
export const rowLinkClasses = 'font-medium after:absolute after:inset-0 hover:underline break-words';

function SortButton({ label, sort, current }: { label: string; sort: string; current: string | undefined }) {
  const [, changeView] = useViewState();
  const isAscending = current === sort;
  const isDescending = current === `-${sort}`;
  const Icon = isAscending ? ArrowUp : isDescending ? ArrowDown : ArrowUpDown;
  return (
    <button
      type="button"
      className="-ms-2 inline-flex h-7 items-center gap-1 rounded-sm px-2 hover:bg-hover max-sm:min-h-11 hover:text-text [&_svg]:size-3.5"
      onClick={() => changeView({ sort: isAscending ? `-${sort}` : sort })}
    >
      {label}
      <Icon aria-hidden className={isAscending || isDescending ? undefined : 'opacity-50'} />
    </button>
  );
}

function ariaSort(sort: string | undefined, current: string | undefined) {
  if (sort === undefined) return undefined;
  if (current === sort) return 'ascending';
  return current === `-${sort}` ? 'descending' : 'none';
}

function Head<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: string | undefined }) {
  return (
    <thead className="text-muted">
      <tr>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={ariaSort(column.sort, sort)}
            className={classNames(
              'h-8 whitespace-nowrap border-line border-b bg-sunken px-3 text-start font-medium text-xs first:ps-4 sm:first:ps-6 sm:last:pe-6',
              widths[column.width ?? 'always'],
            )}
          >
            {column.sort === undefined ? (
              column.label
            ) : (
              <SortButton label={column.label} sort={column.sort} current={sort} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function useFocusOfClosed(selectedId: string | undefined) {
  const body = useRef<HTMLTableSectionElement>(null);
  const last = useRef(selectedId);
  useEffect(() => {
    const closed = last.current;
    last.current = selectedId;
    if (closed === undefined || selectedId !== undefined || document.activeElement !== document.body) return;
    const row = [...(body.current?.rows ?? [])].find(({ dataset }) => dataset.id === closed);
    row?.querySelector('a')?.focus();
  }, [selectedId]);
  return body;
}

/**
 * A table of a list of some hundred rows, which is read page by page ("Load more"). Its sort is the `sort` of the URL. Where it is
 * narrow, it has fewer columns.
 */
export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { label, pages, columns, defaultSort, selectedId, empty } = props;
  const { t } = useLingui();
  const [search] = useViewState();
  const { rows, error } = pages;
  const body = useFocusOfClosed(selectedId);
  if (rows === undefined) {
    if (error !== null) return <ErrorBox error={error} onRetry={pages.retry} />;
    return <p className="p-4 text-muted text-sm">{t`Loading…`}</p>;
  }
  return (
    <div className="@container -mx-4 sm:-mx-6">
      {error !== null && <ErrorBox error={error} onRetry={pages.retry} />}
      {rows.length === 0 ? (
        <div className="p-6 text-center text-muted text-sm">{empty}</div>
      ) : (
        <table aria-label={label} className="w-full border-collapse border-line border-y bg-surface text-sm">
          <Head columns={columns} sort={firstValue(search.sort) ?? defaultSort} />
          <tbody ref={body}>
            {rows.map((row) => (
              <tr
                key={row.id}
                data-id={row.id}
                className={classNames(
                  'group/row relative border-line-soft border-b last:border-b-0 hover:bg-hover *:first:ps-4 sm:*:first:ps-6 sm:*:last:pe-6',
                  row.id === selectedId && 'bg-active',
                )}
              >
                {columns.map(({ id, cell, width }, index) => (
                  <td
                    key={id}
                    className={classNames(
                      'h-10 px-3 py-1',
                      index > 0 && '@lg:whitespace-nowrap',
                      widths[width ?? 'always'],
                    )}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="flex justify-center p-3 empty:hidden">
        <LoadMore pages={pages} />
      </div>
    </div>
  );
}
