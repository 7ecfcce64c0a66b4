// Its work is the rows, each of which is rendered only if it changes.
'use no memo';

import { useLingui } from '@lingui/react/macro';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { kindAt } from '../../../../api/contract/contracts.ts';
import { useReadPhone } from '../../../fields/phone-text.ts';
import { fittingColumns, rowSizes } from '../columns.ts';
import { isSelected, type SelectionState } from '../selection.ts';
import { indexOf, type List } from '../use-list.ts';
import { attributesOf } from './attributes.ts';
import { clickRow, type GridActions, type Place, placeOf, pressKey } from './grid-events.ts';
import { HeaderRow, type HeaderRowProps } from './header-row.tsx';
import { Row } from './row.tsx';

/** The height of a row, of a card, and of the headers, in pixels. */
const ROW_PX = 40;
const CARD_PX = 64;
const HEAD_PX = 32;
/** A list that is not as wide shows cards. */
const WIDE_PX = 560;
/** Rows beyond those on the screen that are read before they are scrolled to. */
const AHEAD = 50;
/** The grey rows after the last one in memory, as long as there are more. */
const BONES = 3;

export type Mark = 'changed' | 'gone';

export interface GridHandle {
  /** Gives the focus to the active cell, or to the first one. */
  focus: (place?: 'first') => void;
}

export interface ListGridProps
  extends GridActions,
    Pick<HeaderRowProps, 'columns' | 'widths' | 'onSort' | 'onMove' | 'onResize'> {
  ref: Ref<GridHandle>;
  list: List;
  marks: ReadonlyMap<string, Mark>;
  label: string;
  selection: SelectionState;
  openId: string | undefined;
  hrefOf: (id: string) => string;
  mayHideColumns: boolean;
  isBusy: boolean;
  isReadOnly: boolean;
  onReach: () => void;
}

/** The place of each list when it was left, to which one comes back. */
const scrolledTo = new Map<string, number>();

const activeCell = (element: HTMLElement | null) =>
  element?.querySelector<HTMLElement>('[data-cell][tabindex="0"]');

/** Keeps what is read on the screen where it is, whatever is put in before it, and goes back to it. */
function useKeptPlace(
  scroller: RefObject<HTMLDivElement | null>,
  {
    list,
    lead,
    height,
    onMove,
  }: { list: List; lead: number; height: number; onMove: (rows: number | 'start') => void },
) {
  const before = useRef<{ list: List; lead: number; height: number; top: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const known = before.current;
    // The place is read only where it was set: to read it has the whole page laid out.
    let top = known?.top ?? 0;
    const scrollTo = (place: number) => {
      element.scrollTop = place;
      top = element.scrollTop;
    };
    if (known === undefined || known.list.key !== list.key) {
      scrollTo((known === undefined ? scrolledTo.get(list.key) : undefined) ?? lead * height);
      if (known !== undefined) onMove('start');
    } else if (known.list.rows !== list.rows || known.lead !== lead || known.height !== height) {
      const first = Math.max(0, Math.floor(known.top / known.height) - known.lead);
      const id = known.list.rows[first]?.record.id;
      const at = id === undefined ? -1 : indexOf(list, id);
      // Rows that come before the first of all are seen.
      const isAtStart = known.top < known.height && known.lead === 0;
      if (at >= 0 && !isAtStart) {
        const rest = known.top - (first + known.lead) * known.height;
        scrollTo((at + lead) * height + (known.height === height ? rest : 0));
      }
      if (at >= 0 && at !== first) onMove(at - first);
    }
    before.current = { list, lead, height, top };
  });
  return (top: number) => {
    if (before.current !== undefined) before.current.top = top;
    scrolledTo.set(list.key, top);
  };
}

function movedPlace(before: Place, moved: number | 'start'): Place {
  if (moved === 'start') return { row: 0, column: 1 };
  return before.row < 0 ? before : { ...before, row: Math.max(0, before.row + moved) };
}

function useWidth(scroller: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return width;
}

interface GridFocus {
  ref: Ref<GridHandle>;
  list: List;
  lead: number;
  height: number;
  headPx: number;
  active: Place;
  openId: string | undefined;
  setPlace: (place: Place) => void;
}

/** Keeps the focus in the active cell, also while the element of the cell is replaced, and moves it. */
function useGridFocus(
  scroller: RefObject<HTMLDivElement | null>,
  { ref, list, lead, height, headPx, active, openId, setPlace }: GridFocus,
) {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hasFocus.current) return;
    const element = scroller.current;
    const cell = activeCell(element);
    const { activeElement } = document;
    const isOutside = activeElement !== document.body && !element?.contains(activeElement);
    if (!isOutside && cell && cell !== activeElement) cell.focus({ preventScroll: true });
  });
  const scrollToRow = (row: number) => {
    const element = scroller.current;
    if (element === null || row < 0) return;
    const top = (row + lead) * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight - headPx)
      element.scrollTop = top + height - (element.clientHeight - headPx);
  };
  const moveTo = (to: Place) => {
    hasFocus.current = true;
    setPlace(to);
    scrollToRow(to.row);
    if (to.column > 1) activeCell(scroller.current)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useImperativeHandle(ref, () => ({
    focus: (at) => {
      if (list.rows.length === 0) return;
      moveTo(at === 'first' ? { row: 0, column: 1 } : { ...active, row: Math.max(0, active.row) });
      requestAnimationFrame(() => activeCell(scroller.current)?.focus());
    },
  }));
  // The record that was open has gone, and the focus with it.
  const wasOpen = useRef(openId);
  useEffect(() => {
    const isClosed = wasOpen.current !== undefined && openId === undefined;
    wasOpen.current = openId;
    if (!isClosed) return;
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) activeCell(scroller.current)?.focus();
    });
  }, [openId]);
  return { hasFocus, moveTo };
}

function useGrid(props: ListGridProps) {
  const { list, widths, selection, openId } = props;
  const { rows, request } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const isCard = width > 0 && width < WIDE_PX;
  const height = isCard ? CARD_PX : ROW_PX;
  const columns =
    props.mayHideColumns && !isCard && width > 0
      ? fittingColumns(props.columns, widths, width)
      : props.columns;
  const columnCount = isCard ? 2 : columns.length + 1;
  const lead = list.hasPrevious ? 1 : 0;
  const [place, setPlace] = useState<Place>({ row: 0, column: 1 });
  const active = {
    row: Math.min(place.row, rows.length - 1),
    column: isCard ? 1 : Math.min(place.column, columnCount - 1),
  };
  const virtualizer = useVirtualizer({
    count: lead + rows.length + (list.hasNext ? BONES : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    scrollPaddingStart: isCard ? 0 : HEAD_PX,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      // The row with the focus stays, wherever the list is scrolled.
      const focused = active.row + lead;
      return active.row < 0 || shown.includes(focused)
        ? shown
        : [focused, ...shown].toSorted((a, b) => a - b);
    },
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  const keepTop = useKeptPlace(scroller, {
    list,
    lead,
    height,
    onMove: (moved) => setPlace((before) => movedPlace(before, moved)),
  });
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const needsPrevious = list.hasPrevious && startIndex - lead < AHEAD;
  const needsNext = list.hasNext && endIndex - lead > rows.length - AHEAD;
  const { readNext, readPrevious } = list;
  useEffect(() => {
    if (virtualizer.range === null) return;
    if (needsNext) readNext();
    else if (needsPrevious) readPrevious();
  });

  const { hasFocus, moveTo } = useGridFocus(scroller, {
    ref: props.ref,
    list,
    lead,
    height,
    headPx: isCard ? 0 : HEAD_PX,
    active,
    openId,
    setPlace,
  });
  const readPhone = useReadPhone(columns.some((name) => kindAt(request.resource, name) === 'phone'));
  const state = {
    rows,
    columns: isCard ? [] : columns,
    selection,
    active,
    columnCount,
    pageRows: Math.max(1, endIndex - startIndex - 1),
    actions: props,
    moveTo,
  };
  return {
    scroller,
    virtualizer,
    columns,
    columnCount,
    height,
    lead,
    isCard,
    active,
    setPlace,
    hasFocus,
    readPhone,
    keepTop,
    state,
  };
}

/** The records as a grid (ARIA grid pattern) of which only the rows on the screen are there. */
export function ListGrid(props: ListGridProps) {
  const { list, label, widths, selection, isBusy } = props;
  const { t } = useLingui();
  const { rows, offset, total, request } = list;
  const grid = useGrid(props);
  const { scroller, virtualizer, columns, columnCount, lead, isCard, active } = grid;
  const { setPlace, hasFocus, keepTop, state } = grid;
  return (
    <div
      ref={scroller}
      {...attributesOf.grid({
        'aria-label': label,
        'aria-rowcount': offset === undefined ? -1 : total + 1,
        'aria-colcount': columnCount,
        'aria-multiselectable': true,
        'aria-busy': isBusy,
        'aria-readonly': props.isReadOnly,
        onClick: (event) => clickRow(event, state),
        onKeyDown: (event) => pressKey(event, state),
        onFocus: (event) => {
          hasFocus.current = true;
          props.onReach();
          const at = placeOf(event);
          if (at !== undefined && (at.row !== active.row || at.column !== active.column)) setPlace(at);
        },
        onBlur: ({ relatedTarget, currentTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hasFocus.current = false;
        },
      })}
      className={`group/grid relative min-h-0 grow contain-strict overflow-auto overscroll-contain bg-surface ${isBusy ? 'opacity-60' : ''}`}
      style={isCard ? undefined : rowSizes(columns, widths)}
      onScroll={({ currentTarget }) => {
        // Only then do the first columns have to stay: each sticky element is a layer of its own.
        currentTarget.toggleAttribute('data-shifted', currentTarget.scrollLeft !== 0);
        keepTop(currentTarget.scrollTop);
      }}
    >
      {!isCard && (
        <div {...attributesOf.rowGroup({})} className="sticky top-0 z-10 w-full min-w-(--row-width)">
          <HeaderRow
            resource={request.resource}
            columns={columns}
            widths={widths}
            sort={request.sort}
            activeColumn={active.row < 0 ? active.column : undefined}
            selected={selection.isAll ? 'all' : selection.ids.size > 0 ? 'some' : 'none'}
            total={total}
            onSort={props.onSort}
            onSelectAll={props.onSelectAll}
            onMove={props.onMove}
            onResize={props.onResize}
          />
        </div>
      )}
      <div
        {...attributesOf.rowGroup({ 'aria-label': t`Records` })}
        className="relative w-full"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index: at, start }) => (
          <ShownRow
            key={rows[at - lead]?.record.id ?? `bone ${at}`}
            props={props}
            grid={grid}
            at={at}
            top={start}
          />
        ))}
      </div>
    </div>
  );
}

interface ShownRowProps {
  props: ListGridProps;
  grid: ReturnType<typeof useGrid>;
  at: number;
  top: number;
}

function ShownRow({ props, grid, at, top }: ShownRowProps) {
  const { list, marks, selection, openId, hrefOf } = props;
  const { columns, lead, height, isCard, active, readPhone } = grid;
  const index = at - lead;
  const row = list.rows[index];
  if (row === undefined) return <Bone top={top} height={height} isCard={isCard} />;
  const { id } = row.record;
  return (
    <Row
      index={index}
      number={list.offset === undefined ? undefined : list.offset + index}
      resource={list.request.resource}
      activeColumn={active.row === index ? active.column : undefined}
      isSelected={isSelected(selection, id)}
      isOpen={id === openId}
      mark={marks.get(id)}
      href={hrefOf(id)}
      row={row}
      top={top}
      height={height}
      columns={columns}
      isCard={isCard}
      readPhone={readPhone}
    />
  );
}

/** The shape of a row that is being read. */
function Bone({ top, height, isCard }: { top: number; height: number; isCard: boolean }) {
  return (
    <div
      aria-hidden
      className={`absolute flex w-full items-center gap-3 border-line-soft border-b ${isCard ? 'px-4' : 'ps-14'}`}
      style={{ top, height }}
    >
      <span className="size-7 rounded-full bg-active" />
      <span className="h-2 w-40 rounded-full bg-active" />
    </div>
  );
}
