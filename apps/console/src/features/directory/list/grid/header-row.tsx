import { Trans, useLingui } from '@lingui/react/macro';
import { type DragEvent, memo, type PointerEvent } from 'react';
import type { ResourceName } from '../../../../api/contract/contracts.ts';
import { ArrowDown, ArrowUp } from '../../../../icons.tsx';
import { classNames } from '../../../../ui/button.tsx';
import { columnLabel, rowSizes, sortedNamePart, sortOf, WIDTH_MAX, WIDTH_MIN } from '../columns.ts';
import { attributesOf, cellFocus } from './attributes.ts';

export interface HeaderRowProps {
  resource: ResourceName;
  columns: readonly string[];
  /** In pixels; others have their default width. */
  widths: Readonly<Record<string, number>>;
  sort: string;
  activeColumn: number | undefined;
  selected: 'none' | 'some' | 'all';
  total: number;
  onSort: (name: string) => void;
  onSelectAll: () => void;
  onResize: (name: string, width: number) => void;
  onMove: (name: string, to: string) => void;
}

/**
 * The edge at which a column is pulled wider. By keyboard the dialog of the columns does it. While it is pulled, `onMove` gets
 * its width, in pixels, and the grid.
 */
function ResizeHandle({
  onMove,
  onEnd,
}: {
  onMove: (width: number, grid: HTMLElement | null) => void;
  onEnd: (width: number) => void;
}) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const width = handle.parentElement?.offsetWidth ?? 0;
    const startX = event.clientX;
    const direction = getComputedStyle(handle).direction === 'rtl' ? -1 : 1;
    const widthAt = (x: number) => Math.max(WIDTH_MIN, Math.min(width + (x - startX) * direction, WIDTH_MAX));
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = ({ clientX }) =>
      onMove(widthAt(clientX), handle.closest<HTMLElement>('[role=grid]'));
    handle.onpointerup = ({ clientX }) => {
      handle.onpointermove = null;
      handle.onpointerup = null;
      onEnd(widthAt(clientX));
    };
  };
  return (
    <span
      aria-hidden
      draggable
      className="absolute inset-y-1 end-0 w-2 cursor-col-resize touch-none hover:border-accent hover:border-e-2"
      onPointerDown={onPointerDown}
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** The row of the headers: sorting, selecting all, resizing and moving columns. Scrolling does not render it again. */
export const HeaderRow = memo(function HeaderRow({
  resource,
  columns,
  widths,
  sort,
  activeColumn,
  selected,
  total,
  onSort,
  onSelectAll,
  onResize,
  onMove,
}: HeaderRowProps) {
  const { t, i18n } = useLingui();
  const count = i18n.number(total);
  const showWidth = (name: string, width: number, grid: HTMLElement | null) => {
    const sizes = rowSizes(columns, { ...widths, [name]: width });
    for (const [property, size] of Object.entries(sizes)) grid?.style.setProperty(property, size);
  };
  const direction = (name: string) => {
    const own = sortOf(resource, name, sort);
    if (own === undefined) return undefined;
    return sort === own ? 'ascending' : sort === `-${own}` ? 'descending' : 'none';
  };
  const dragged = (name: string) => ({
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer.setData('application/x-roster-column', name),
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('application/x-roster-column')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const from = event.dataTransfer.getData('application/x-roster-column');
      if (from !== '' && from !== name) onMove(from, name);
    },
  });
  return (
    <div
      {...attributesOf.row({ 'aria-rowindex': 1 })}
      className="grid h-8 w-full grid-cols-(--columns) border-line border-b bg-sunken text-xs"
    >
      <div
        {...attributesOf.columnHeader({ 'aria-colindex': 1 })}
        className="sticky start-0 z-[1] flex items-center bg-inherit ps-6"
      >
        <input
          type="checkbox"
          aria-label={t`Select all ${count}`}
          checked={selected === 'all'}
          ref={(box) => {
            if (box !== null) box.indeterminate = selected === 'some';
          }}
          readOnly
          onClick={onSelectAll}
          {...cellFocus(activeColumn === 0)}
        />
      </div>
      {columns.map((name, at) => {
        const order = direction(name);
        const label = columnLabel(i18n, resource, name);
        const part = sortedNamePart(name, sort);
        return (
          <div
            key={name}
            {...attributesOf.columnHeader({
              'aria-colindex': at + 2,
              'aria-sort': order === 'none' ? undefined : order,
              ...dragged(name),
            })}
            className={classNames('relative flex min-w-0', at === 0 && 'sticky start-12 z-[1] bg-inherit')}
          >
            {order === undefined ? (
              <span
                {...cellFocus(activeColumn === at + 1)}
                className={classNames(
                  'flex min-w-0 grow items-center font-medium -outline-offset-2',
                  at === 0 ? 'ps-2 pe-3' : 'px-3',
                  name.startsWith('counts.') && 'justify-end',
                )}
              >
                <span className="truncate text-muted">{label}</span>
              </span>
            ) : (
              <button
                type="button"
                {...cellFocus(activeColumn === at + 1)}
                className={classNames(
                  'flex min-w-0 grow items-center gap-1 font-medium -outline-offset-2 hover:bg-hover [&_svg]:size-3',
                  at === 0 ? 'ps-2 pe-3' : 'px-3',
                  order !== 'none' ? 'text-text' : 'text-muted',
                )}
                onClick={() => onSort(name)}
              >
                <span className="truncate">{label}</span>
                {order === 'ascending' && <ArrowUp aria-hidden />}
                {order === 'descending' && <ArrowDown aria-hidden />}
                {part !== undefined && (
                  <span className="sr-only">
                    {part === 'firstName' ? <Trans>by first name</Trans> : <Trans>by last name</Trans>}
                  </span>
                )}
              </button>
            )}
            <ResizeHandle
              onMove={(width, grid) => showWidth(name, width, grid)}
              onEnd={(width) => onResize(name, width)}
            />
          </div>
        );
      })}
    </div>
  );
});
