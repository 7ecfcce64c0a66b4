import { useLingui } from '@lingui/react/macro';
import { Fragment, type MouseEvent, memo } from 'react';
import { kindAt, type ResourceName } from '../../../../api/contract/contracts.ts';
import { avatarOf } from '../../../../resources/avatar.ts';
import type { Highlight } from '../../../../resources/record.ts';
import { type DirectoryRecord, nameOf } from '../../../../resources/record.ts';
import { PHONE_ATTRIBUTE } from '../../../../ui/browser/copied-phones.ts';
import { classNames } from '../../../../ui/button.tsx';
import type { ReadPhone } from '../../../fields/phone-text.ts';
import { attributesOf, cellFocus } from './attributes.ts';
import { cellContent } from './cells.tsx';

export interface RowProps {
  elementId: string;
  index: number;
  /** In pixels. */
  height: number;
  resource: ResourceName;
  /** Undefined while it is read. */
  record: DirectoryRecord | undefined;
  highlights: readonly Highlight[] | undefined;
  columns: readonly string[];
  /** The column with the focus, if it is in this row: 0 is the box that selects. */
  activeColumn: number | undefined;
  isSelected: boolean;
  isOpen: boolean;
  isCard: boolean;
  mark: 'changed' | 'gone' | undefined;
  href: string | undefined;
  readPhone: ReadPhone;
}

const cell = 'flex min-w-0 items-center px-3 outline-offset-[-2px] focus-visible:outline-2';
/** One element for a cell and its text: what a list costs is its elements. */
const textCell = 'truncate px-3 tabular-nums outline-offset-[-2px] focus-visible:outline-2';

/**
 * Only while the columns are scrolled does a cell inherit a background: an element with `inherit` for what is not inherited has its
 * style computed anew, and slower each time, whenever its row is put elsewhere.
 */
const sticky =
  'group-data-shifted/grid:sticky group-data-shifted/grid:z-[1] group-data-shifted/grid:bg-inherit';

/** The attribute of a cell with a phone number, by which it is copied. */
function phoneOf(resource: ResourceName, record: DirectoryRecord | undefined, column: string) {
  const phone = record?.[column];
  return typeof phone === 'string' && kindAt(resource, column) === 'phone'
    ? { [PHONE_ATTRIBUTE]: phone }
    : {};
}

export function rowOf(event: MouseEvent): number | undefined {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[role=row]')?.dataset.index;
  return row === undefined ? undefined : Number(row);
}

function Placeholder() {
  return <span className="inline-block h-3 w-3/4 rounded-xs bg-hover align-middle" />;
}

interface CardDetailsProps {
  resource: ResourceName;
  readPhone: ReadPhone;
  record: DirectoryRecord;
  columns: readonly string[];
}

function CardDetails({ resource, record, columns, readPhone }: CardDetailsProps) {
  const { i18n } = useLingui();
  const parts = columns
    .slice(0, 3)
    .map((name) => ({ name, content: cellContent({ i18n, resource, readPhone }, record, name) }))
    .filter(({ content }) => content !== null && content !== '');
  return (
    <span className="block truncate text-muted text-xs">
      {parts.map(({ name, content }, at) => (
        <Fragment key={name}>
          {at > 0 && ' · '}
          {content}
        </Fragment>
      ))}
    </span>
  );
}

export const Row = memo(function Row({
  elementId,
  index,
  height,
  resource,
  record,
  highlights,
  columns,
  activeColumn,
  isSelected,
  isOpen,
  isCard,
  mark,
  href,
  readPhone,
}: RowProps) {
  // Most rows are rendered for another record each time.
  'use no memo';
  const { t, i18n } = useLingui();
  const focusOf = (column: number) => cellFocus(activeColumn === column);
  const name = record === undefined ? '' : nameOf(record);
  const isStatusShown = columns.includes('status');
  const shown = isCard
    ? columns.filter((one, at) => at === 0 || (one === 'status' && isStatusShown))
    : columns;
  return (
    <div
      id={elementId}
      {...attributesOf.row({
        'aria-rowindex': index + 2,
        'aria-selected': isSelected,
        'aria-current': isOpen || undefined,
        'aria-busy': record === undefined || undefined,
        'data-index': index,
      })}
      className={classNames(
        'absolute start-0 grid w-full min-w-(--row-width) grid-cols-(--columns) border-line border-b contain-strict',
        isSelected || isOpen ? 'bg-selected' : 'bg-surface hover:bg-hover',
        mark === 'changed' && 'animate-changed',
        mark === 'gone' && 'text-muted line-through',
      )}
      style={{ top: index * height, height }}
    >
      <div
        {...attributesOf.cell({ 'aria-colindex': 1 })}
        className={classNames('flex items-center justify-center -outline-offset-2', sticky, 'start-0')}
        {...(record === undefined && focusOf(0))}
      >
        {record !== undefined && (
          <input
            type="checkbox"
            aria-label={t`Select ${name}`}
            checked={isSelected}
            readOnly
            {...focusOf(0)}
          />
        )}
      </div>
      {shown.map((column, at) => (
        <div
          key={column}
          {...attributesOf.cell({ 'aria-colindex': at + 2 })}
          {...(at === 0 && record !== undefined && avatarOf(resource, record))}
          {...phoneOf(resource, record, column)}
          {...((at > 0 || record === undefined) && focusOf(at + 1))}
          className={
            at > 0 && record !== undefined
              ? classNames(textCell, isCard ? 'leading-14' : 'leading-9')
              : classNames(cell, at === 0 && `${sticky} start-10 gap-2 font-medium`)
          }
        >
          {record === undefined ? (
            <Placeholder />
          ) : at > 0 ? (
            cellContent({ i18n, resource, readPhone }, record, column, highlights)
          ) : (
            <a
              href={href}
              className={classNames(
                'min-w-0 grow hover:underline focus-visible:underline',
                // A long name takes the two lines that a row has room for; those of a card are the name and its details.
                isCard ? 'block truncate' : 'line-clamp-2 break-words leading-4',
              )}
              {...focusOf(1)}
            >
              {cellContent({ i18n, resource, readPhone }, record, column, highlights)}
              {isCard && (
                <>
                  {'\n'}
                  <CardDetails
                    resource={resource}
                    record={record}
                    readPhone={readPhone}
                    columns={columns.filter((one, i) => i > 0 && one !== 'status')}
                  />
                </>
              )}
            </a>
          )}
        </div>
      ))}
    </div>
  );
});
