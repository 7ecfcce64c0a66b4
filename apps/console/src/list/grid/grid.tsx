// biome-ignore-all lint/a11y/useSemanticElements: The rows of a table could not be taken out of its flow and keep their roles.
// biome-ignore-all lint/a11y/useFocusableInteractive: The focus roves among what is marked with data-cell.
import { useLingui } from '@lingui/react/macro';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { rowSizes } from '../columns.ts';
import type { ListStore } from '../list-store.ts';
import { indexOf, recordAt } from '../page-window.ts';
import { isSelected, type SelectionState } from '../selection.ts';
import { type Place, placeFor } from './grid-keys.ts';
import { HeaderRow, type HeaderRowProps } from './header-row.tsx';
import { Row, rowOf } from './row.tsx';
import { useRowSlots } from './row-slots.ts';
import { useViewport } from './viewport.ts';

/** The height of a row, and of a card of two lines, in pixels. */
const ROW_PX = 36;
const CARD_PX = 56;
const rowHeightOf = (isNarrow: boolean) => (isNarrow ? CARD_PX : ROW_PX);

export interface ListGridProps
  extends Pick<HeaderRowProps, 'columns' | 'widths' | 'onSort' | 'onSelectAll' | 'onMove' | 'onResize'> {
  store: ListStore;
  label: string;
  selection: SelectionState;
  onToggle: (id: string) => void;
  /** The records from the anchor to one. */
  onExtend: (ids: readonly string[]) => void;
  onClearSelection: () => void;
  /** The id of the record in the panel. */
  openId: string | undefined;
  onOpen: (id: string) => void;
  hrefOf: (id: string) => string;
  /** Whether newer records are being read for other filters. */
  isBusy: boolean;
}

/** The cell that an event happened in. */
function placeOf(event: MouseEvent | KeyboardEvent | FocusEvent): Place | undefined {
  const cell = (event.target as HTMLElement).closest<HTMLElement>('[role=gridcell],[role=columnheader]');
  const index = cell?.closest<HTMLElement>('[role=row]')?.dataset.index;
  if (!cell) return undefined;
  return { row: index === undefined ? -1 : Number(index), column: Number(cell.ariaColIndex) - 1 };
}

/** The records as a grid (ARIA grid pattern) of which only the rows on the screen are there. */
export function ListGrid(props: ListGridProps) {
  // Its work is the rows, each of which is rendered only if it changes.
  'use no memo';
  const { store, label, columns, widths, selection, openId, isBusy } = props;
  const { t } = useLingui();
  const { window, total, marks, target } = useSyncExternalStore(store.subscribe, store.state);
  const scroller = useRef<HTMLDivElement>(null);
  const firstRow = useRef(0);
  const [restored] = useState(store.firstRow);
  // Also while the element with the focus is replaced, as when its record has been read.
  const hasFocus = useRef(false);
  const [active, setActive] = useState<Place>({ row: 0, column: 1 });
  const { viewport, measure } = useViewport(scroller, {
    rowHeight: rowHeightOf,
    rowCount: window.rowCount,
    onShow: (first, last) => {
      firstRow.current = first;
      store.firstRow = first;
      store.show(first, last);
    },
  });
  const { isNarrow, start, end } = viewport;
  const height = rowHeightOf(isNarrow);
  const columnCount = isNarrow ? (columns.includes('status') ? 3 : 2) : columns.length + 1;
  const activeRow = Math.min(active.row, window.rowCount - 1);
  const activeColumn = Math.min(active.column, columnCount - 1);

  // What is read keeps its place on the screen when records before it are put in.
  const moved = useRef(window.moved);
  useLayoutEffect(() => {
    const rows = window.moved - moved.current;
    moved.current = window.moved;
    if (rows === 0 || scroller.current === null) return;
    scroller.current.scrollTop += rows * height;
    setActive((before) => (before.row < 0 ? before : { ...before, row: before.row + rows }));
    measure();
  });
  // The rows of the other height keep their place too; so does the list when one comes back to it.
  const shownHeight = useRef<number>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (shownHeight.current === height || element === null) return;
    element.scrollTop = (shownHeight.current === undefined ? restored : firstRow.current) * height;
    shownHeight.current = height;
  });
  // Another list begins at its beginning.
  const shownStore = useRef(store);
  useLayoutEffect(() => {
    if (shownStore.current === store || scroller.current === null) return;
    shownStore.current = store;
    moved.current = window.moved;
    scroller.current.scrollTop = 0;
    setActive((before) => (before.row < 0 ? before : { row: 0, column: 1 }));
    measure();
  });
  useLayoutEffect(() => {
    if (!hasFocus.current) return;
    const element = scroller.current;
    const cell = element?.querySelector<HTMLElement>('[data-cell][tabindex="0"]');
    const { activeElement } = document;
    const isOutside = activeElement !== document.body && !element?.contains(activeElement);
    if (isOutside || !cell || cell === activeElement) return;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const recordOf = (row: number) => recordAt(window, row)?.record;
  const rangeTo = (row: number) => {
    const anchor = selection.anchor === undefined ? undefined : indexOf(window, selection.anchor);
    const from = anchor ?? Math.max(0, activeRow);
    const step = from <= row ? 1 : -1;
    const rows = Array.from({ length: Math.abs(row - from) + 1 }, (_, at) => from + at * step);
    props.onExtend(rows.flatMap((at) => recordOf(at)?.id ?? []));
  };
  const moveTo = (place: Place) => {
    setActive(place);
    hasFocus.current = true;
    const element = scroller.current;
    if (element === null || place.row < 0) return;
    // Rows far away are not there to be scrolled to.
    const top = place.row * height;
    const bottom = element.scrollTop + element.clientHeight - ROW_PX;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > bottom) element.scrollTop = top + height - (element.clientHeight - ROW_PX);
    measure();
  };
  // The record that was open has gone, and the focus with it.
  const wasOpen = useRef(openId);
  useEffect(() => {
    const isClosed = wasOpen.current !== undefined && openId === undefined;
    wasOpen.current = openId;
    if (!isClosed) return;
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        scroller.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus();
    });
  }, [openId]);
  const went = useRef(target);
  useLayoutEffect(() => {
    if (target === went.current || target === undefined) return;
    went.current = target;
    if (scroller.current !== null) scroller.current.scrollTop = target.row * height;
    moveTo({ row: target.row, column: 1 });
    // The dialog that asked for the place gives the focus back to its button when it closes.
    const focus = () => {
      if (document.querySelector('dialog:modal') !== null) requestAnimationFrame(focus);
      else scroller.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus();
    };
    requestAnimationFrame(focus);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const here = placeOf(event);
    if (here === undefined || event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    const pageRows = Math.max(1, viewport.last - viewport.first - 1);
    const extent = { rowCount: window.rowCount, columnCount, pageRows };
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const to = placeFor({ key: event.key, isControl }, here, extent, isRightToLeft);
    const record = recordOf(here.row);
    if (to !== undefined) {
      moveTo(to);
      if (event.shiftKey && to.row >= 0 && to.row !== here.row) rangeTo(to.row);
    } else if (event.key === 'a' && isControl) props.onSelectAll();
    else if (event.key === 'Escape' && (selection.isAll || selection.ids.size > 0)) props.onClearSelection();
    else if (record === undefined || (event.target instanceof HTMLAnchorElement && event.key === 'Enter'))
      return;
    else if (event.key === 'Enter') props.onOpen(record.id);
    else if (event.key === ' ' && event.shiftKey) rangeTo(here.row);
    // The box itself is pressed by the browser.
    else if (event.key === ' ' && !(event.target instanceof HTMLInputElement)) props.onToggle(record.id);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const row = rowOf(event);
    const record = row === undefined ? undefined : recordOf(row);
    if (row === undefined || record === undefined) return;
    const isBox = event.target instanceof HTMLInputElement;
    const isControl = event.ctrlKey || event.metaKey;
    const isLink = (event.target as HTMLElement).closest('a') !== null;
    // The browser opens a link in another tab.
    if (isLink && (isControl || event.shiftKey)) return;
    if (isLink) event.preventDefault();
    setActive(placeOf(event) ?? active);
    if (event.shiftKey) rangeTo(row);
    else if (isBox || isControl) props.onToggle(record.id);
    else if (getSelection()?.isCollapsed !== false) props.onOpen(record.id);
  };
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  // The row with the focus stays when it is scrolled away.
  if (activeRow >= 0 && activeRow < start) rows.unshift(activeRow);
  else if (activeRow >= end) rows.push(activeRow);
  const slots = useRowSlots(rows);
  const rowId = useId();
  const count = selection.isAll ? 'all' : selection.ids.size > 0 ? 'some' : 'none';
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columnCount}
      aria-multiselectable
      aria-busy={isBusy}
      className={`group/grid relative min-h-0 grow contain-strict scroll-ps-64 scroll-pt-9 overflow-auto overscroll-contain bg-surface ${isBusy ? 'opacity-60' : ''}`}
      style={{ ...rowSizes(columns, widths, isNarrow), maxHeight: 58 * ROW_PX } as object}
      onScroll={({ currentTarget }) => {
        // Only then do the first columns have to stay: each sticky element is a layer of its own.
        currentTarget.toggleAttribute('data-shifted', currentTarget.scrollLeft !== 0);
        measure();
      }}
      onFocus={(event) => {
        hasFocus.current = true;
        const place = placeOf(event);
        if (place !== undefined && (place.row !== activeRow || place.column !== activeColumn))
          setActive(place);
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hasFocus.current = false;
      }}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="sticky top-0 z-10 w-full min-w-(--row-width)">
        <HeaderRow
          resource={store.request.resource}
          columns={columns}
          widths={widths}
          sort={store.request.sort}
          activeColumn={activeRow < 0 ? activeColumn : undefined}
          isCard={isNarrow}
          selected={count}
          total={total}
          onSort={props.onSort}
          onSelectAll={props.onSelectAll}
          onMove={props.onMove}
          onResize={props.onResize}
        />
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: The grid has the keys. */}
      <div
        role="rowgroup"
        aria-label={t`Records`}
        // Elements that show other records keep their places in the document: this is the order of the rows.
        aria-owns={rows.map((row) => `${rowId}${slots.indexOf(row)}`).join(' ')}
        className="relative w-full text-sm contain-[size_layout_style]"
        style={{ height: window.rowCount * height }}
        onClick={onClick}
      >
        {slots.map((index, slot) => {
          if (index === undefined) return null;
          const shown = recordAt(window, index);
          const id = shown?.record.id;
          return (
            <Row
              key={slot}
              elementId={`${rowId}${slot}`}
              index={index}
              height={height}
              record={shown?.record}
              highlights={shown?.highlights}
              columns={columns}
              activeColumn={activeRow === index ? activeColumn : undefined}
              isSelected={id !== undefined && isSelected(selection, id)}
              isOpen={id !== undefined && id === openId}
              isCard={isNarrow}
              mark={id === undefined ? undefined : marks.get(id)}
              href={id === undefined ? undefined : props.hrefOf(id)}
            />
          );
        })}
      </div>
    </div>
  );
}
