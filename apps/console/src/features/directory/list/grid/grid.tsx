import { useLingui } from '@lingui/react/macro';
import { useId, useRef, useState, useSyncExternalStore } from 'react';
import { kindAt } from '../../../../api/contract/contracts.ts';
import { useReadPhone } from '../../../fields/phone-text.ts';
import { fittingColumns, rowSizes } from '../columns.ts';
import type { ListStore } from '../list-store.ts';
import { recordAt } from '../page-window.ts';
import { isSelected, type SelectionState } from '../selection.ts';
import { attributesOf } from './attributes.ts';
import { clickRow, type GridActions, placeOf, pressKey } from './grid-events.ts';
import type { Place } from './grid-keys.ts';
import { HeaderRow, type HeaderRowProps } from './header-row.tsx';
import { Row } from './row.tsx';
import { useRowSlots } from './row-slots.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { useKeptScroll } from './use-kept-scroll.ts';
import { useViewport } from './viewport.ts';

/** The height of a row, and of a card of two lines, in pixels. */
const ROW_PX = 36;
const CARD_PX = 56;
const rowHeightOf = (isNarrow: boolean) => (isNarrow ? CARD_PX : ROW_PX);

export interface ListGridProps
  extends GridActions,
    Pick<HeaderRowProps, 'columns' | 'widths' | 'onSort' | 'onMove' | 'onResize'> {
  store: ListStore;
  label: string;
  selection: SelectionState;
  openId: string | undefined;
  hrefOf: (id: string) => string;
  mayHideColumns: boolean;
  isBusy: boolean;
  isReadOnly: boolean;
  onReach: () => void;
}

interface RowsProps extends Pick<ListGridProps, 'store' | 'columns' | 'selection' | 'openId' | 'hrefOf'> {
  rows: readonly number[];
  /** In pixels. */
  height: number;
  active: Place;
  isCard: boolean;
}

/** The rows on the screen, in elements that show other records when they are scrolled. */
function Rows({ store, rows, height, active, selection, openId, isCard, ...row }: RowsProps) {
  // Its work is the rows, each of which is rendered only if it changes.
  'use no memo';
  const { t } = useLingui();
  const { window, marks } = store.state();
  const slots = useRowSlots(rows);
  const { resource } = store.request;
  const readPhone = useReadPhone(row.columns.some((name) => kindAt(resource, name) === 'phone'));
  const rowId = useId();
  return (
    <div
      {...attributesOf.rowGroup({
        'aria-label': t`Records`,
        // Elements that show other records keep their places in the document: this is the order of the rows.
        'aria-owns': rows.map((index) => `${rowId}${slots.indexOf(index)}`).join(' '),
      })}
      className="relative w-full text-sm contain-[size_layout_style]"
      style={{ height: window.rowCount * height }}
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
            resource={resource}
            record={shown?.record}
            highlights={shown?.highlights}
            columns={row.columns}
            activeColumn={active.row === index ? active.column : undefined}
            isSelected={id !== undefined && isSelected(selection, id)}
            isOpen={id !== undefined && id === openId}
            isCard={isCard}
            mark={id === undefined ? undefined : marks.get(id)}
            href={id === undefined ? undefined : row.hrefOf(id)}
            readPhone={readPhone}
          />
        );
      })}
    </div>
  );
}

/** The rows from one to before another, and the one with the focus, which stays when it is scrolled away. */
function rowsWith(active: number, start: number, end: number): number[] {
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
  if (active >= 0 && active < start) rows.unshift(active);
  else if (active >= end) rows.push(active);
  return rows;
}

function useGrid({ store, columns: wanted, widths, mayHideColumns, openId }: ListGridProps) {
  'use no memo';
  const { window, target } = useSyncExternalStore(store.subscribe, store.state);
  const scroller = useRef<HTMLDivElement>(null);
  const firstRow = useRef(store.firstRow);
  const [place, setActive] = useState<Place>({ row: 0, column: 1 });
  const { viewport, measure } = useViewport(scroller, {
    rowHeight: rowHeightOf,
    rowCount: window.rowCount,
    onShow: (first, last) => {
      firstRow.current = first;
      store.firstRow = first;
      store.show(first, last);
    },
  });
  const { width, isNarrow } = viewport;
  const columns = mayHideColumns && !isNarrow && width > 0 ? fittingColumns(wanted, widths, width) : wanted;
  const height = rowHeightOf(isNarrow);
  const columnCount = isNarrow ? (columns.includes('status') ? 3 : 2) : columns.length + 1;
  const active: Place = {
    row: Math.min(place.row, window.rowCount - 1),
    column: Math.min(place.column, columnCount - 1),
  };
  const onMove = (rows: number | undefined) =>
    setActive((before) => {
      if (before.row < 0) return before;
      return rows === undefined ? { row: 0, column: 1 } : { ...before, row: before.row + rows };
    });
  useKeptScroll(scroller, { store, moved: window.moved, height, firstRow, onMove, measure });
  const focus = { height, headerHeight: ROW_PX, target, openId, setActive, measure };
  const { hasFocus, moveTo } = useGridFocus(scroller, focus);
  return { scroller, viewport, measure, height, columns, columnCount, active, setActive, hasFocus, moveTo };
}

/** The records as a grid (ARIA grid pattern) of which only the rows on the screen are there. */
export function ListGrid(props: ListGridProps) {
  // Its work is the rows, each of which is rendered only if it changes.
  'use no memo';
  const { store, label, widths, selection, isBusy } = props;
  const { window, total } = useSyncExternalStore(store.subscribe, store.state);
  const grid = useGrid(props);
  const { scroller, viewport, measure, height, columns, columnCount, active, setActive, hasFocus, moveTo } =
    grid;
  const { isNarrow, start, end } = viewport;
  const pageRows = Math.max(1, viewport.last - viewport.first - 1);
  const extent = { rowCount: window.rowCount, columnCount, pageRows };
  const state = {
    window,
    columns: isNarrow ? [] : columns,
    selection,
    active,
    extent,
    actions: props,
    setActive,
    moveTo,
  };
  return (
    <div
      ref={scroller}
      {...attributesOf.grid({
        'aria-label': label,
        'aria-rowcount': total + 1,
        'aria-colcount': columnCount,
        'aria-multiselectable': true,
        'aria-busy': isBusy,
        'aria-readonly': props.isReadOnly,
        onClick: (event) => clickRow(event, state),
        onKeyDown: (event) => pressKey(event, state),
        onFocus: (event) => {
          hasFocus.current = true;
          props.onReach();
          const place = placeOf(event);
          if (place !== undefined && (place.row !== active.row || place.column !== active.column))
            setActive(place);
        },
        onBlur: ({ relatedTarget, currentTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hasFocus.current = false;
        },
      })}
      className={`group/grid relative min-h-0 grow contain-strict scroll-ps-64 scroll-pt-9 overflow-auto overscroll-contain bg-surface ${isBusy ? 'opacity-60' : ''}`}
      style={
        {
          ...rowSizes(columns, widths, { isCard: isNarrow, available: viewport.width }),
          maxHeight: 58 * ROW_PX,
        } as object
      }
      onScroll={({ currentTarget }) => {
        // Only then do the first columns have to stay: each sticky element is a layer of its own.
        currentTarget.toggleAttribute('data-shifted', currentTarget.scrollLeft !== 0);
        measure();
      }}
    >
      <div {...attributesOf.rowGroup({})} className="sticky top-0 z-10 w-full min-w-(--row-width)">
        <HeaderRow
          resource={store.request.resource}
          columns={columns}
          widths={widths}
          sort={store.request.sort}
          activeColumn={active.row < 0 ? active.column : undefined}
          isCard={isNarrow}
          available={viewport.width}
          selected={selection.isAll ? 'all' : selection.ids.size > 0 ? 'some' : 'none'}
          total={total}
          onSort={props.onSort}
          onSelectAll={props.onSelectAll}
          onMove={props.onMove}
          onResize={props.onResize}
        />
      </div>
      <Rows
        store={store}
        rows={rowsWith(active.row, start, end)}
        height={height}
        active={active}
        columns={columns}
        selection={selection}
        openId={props.openId}
        hrefOf={props.hrefOf}
        isCard={isNarrow}
      />
    </div>
  );
}
