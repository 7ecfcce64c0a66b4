import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { shownValue } from '@roster/import/people';
import { memo, type ReactNode } from 'react';
import { kindAt, type ResourceName } from '../../../../api/contract/contracts.ts';
import { Copy } from '../../../../icons.tsx';
import { resources } from '../../../../resources/index.ts';
import { hueOf, initialsOf } from '../../../../resources/initials.ts';
import { type DirectoryRecord, nameOf } from '../../../../resources/record.ts';
import { endClasses, InactiveBadge, toneOfEnd } from '../../../../ui/badge.tsx';
import { PHONE_ATTRIBUTE } from '../../../../ui/browser/copied-phones.ts';
import { classNames } from '../../../../ui/button.tsx';
import { daysUntil } from '../../../../ui/relative-time.ts';
import type { ReadPhone } from '../../../fields/phone-text.ts';
import type { ListRow } from '../use-list.ts';
import { attributesOf, cellFocus } from './attributes.ts';
import { type CellContext, cellContent, detailContent, LicenceEnd } from './cells.tsx';

/** The attributes of an element that begins with the initials of a person; none of another record. */
function avatarOf(resource: ResourceName, record: DirectoryRecord) {
  const initials = resources[resource].isPerson ? initialsOf(nameOf(record)) : '';
  return initials === ''
    ? undefined
    : {
        'data-initials': initials,
        'data-inactive': record.status === 'inactive' ? '' : undefined,
        style: { '--hue': hueOf(record.id) },
      };
}

interface RowProps {
  /** The place among the rows in memory, and among all; undefined if that is not known. */
  index: number;
  number: number | undefined;
  /** In pixels. */
  top: number;
  height: number;
  resource: ResourceName;
  row: ListRow;
  columns: readonly string[];
  /** The column of the cell that has the focus, if it is in this row. */
  activeColumn: number | undefined;
  isSelected: boolean;
  isOpen: boolean;
  isCard: boolean;
  mark: 'changed' | 'gone' | undefined;
  href: string;
  readPhone: ReadPhone;
}

const cell = 'px-3 outline-offset-[-2px] focus-visible:outline-2 focus-visible:rounded-xs';
/** One element for a cell and its text: what a list costs is its elements. */
const textCell = `${cell} truncate leading-10 tabular-nums`;

/**
 * Only while the columns are scrolled does a cell inherit a background: an element with `inherit` for what is not inherited has its
 * style computed anew, and slower each time, whenever its row is put elsewhere.
 */
const sticky =
  'group-data-shifted/grid:sticky group-data-shifted/grid:z-[1] group-data-shifted/grid:bg-inherit';

const mutedColumns = ['email', 'nextLicenseExpiresOn', 'updatedAt'];

const licence = msg`Licence`;
const licenceExpired = msg`Licence expired`;

/** Says at the end of a card that the record is inactive, or that a licence ends soon or has ended. */
function CardEnd({ context, row: { record } }: { context: CellContext; row: ListRow }) {
  const day = record.nextLicenseExpiresOn;
  if (record.status === 'inactive') return <InactiveBadge />;
  if (typeof day !== 'string') return null;
  const days = daysUntil(day);
  const tone = toneOfEnd(days);
  if (tone === 'neutral') return null;
  return (
    <span className={`shrink-0 ${endClasses[tone]}`}>
      {days < 0 ? (
        context.i18n._(licenceExpired)
      ) : (
        <>
          {context.i18n._(licence)} <LicenceEnd i18n={context.i18n} day={day} />
        </>
      )}
    </span>
  );
}

function Phone({ text, shown }: { text: string; shown: ReactNode }) {
  const { t } = useLingui();
  return (
    <>
      {shown}
      <button
        type="button"
        tabIndex={-1}
        data-copied={text}
        aria-label={t`Copy ${text}`}
        className="ms-2 hidden align-middle text-muted group-hover/row:inline-block"
      >
        <Copy aria-hidden className="size-3.5" />
      </button>
    </>
  );
}

function NameCell({
  context,
  row,
  columns,
  isCard,
}: Pick<RowProps, 'row' | 'columns' | 'isCard'> & { context: CellContext }) {
  const { record, highlights } = row;
  const [name = ''] = columns;
  const isInactive = record.status === 'inactive';
  const detail = detailContent(context, record, { columns, highlights });
  const place = isCard ? columns.find((one) => one === 'officeId' || one === 'address.city') : undefined;
  const within = place === undefined ? null : cellContent(context, record, place, highlights);
  return (
    <span className="grid min-w-0 grow">
      <span className="flex min-w-0 items-center gap-1.5">
        <span
          className={classNames(
            'truncate font-medium',
            isCard ? 'text-md' : 'leading-[18px]',
            isInactive && 'text-muted',
          )}
        >
          {cellContent(context, record, name, highlights)}
        </span>
        {isInactive && !isCard && <span className="flex *:h-4 *:px-1.5">{<InactiveBadge />}</span>}
        {isCard && (
          <span className="ms-auto flex shrink-0 text-sm">
            <CardEnd context={context} row={row} />
          </span>
        )}
      </span>
      {(detail !== null || within !== null) && (
        <span className={classNames('truncate font-normal text-muted', isCard ? 'text-sm' : 'text-xs')}>
          {detail}
          {detail !== null && within !== null && ' · '}
          {within}
        </span>
      )}
    </span>
  );
}

export const Row = memo(function Row(props: RowProps) {
  // Most rows are rendered for another record each time.
  'use no memo';
  const { index, number, top, height, resource, row, columns, isSelected, isOpen, isCard, mark } = props;
  const { activeColumn, href, readPhone } = props;
  const { t, i18n } = useLingui();
  const { record, highlights } = row;
  const context = { i18n, resource, readPhone, isPlain: isCard };
  const focusOf = (column: number) => cellFocus(activeColumn === column);
  const name = nameOf(record);
  const isInactive = record.status === 'inactive';
  const Icon = resources[resource].icon;
  const avatar = avatarOf(resource, record);
  const shown = isCard ? columns.slice(0, 1) : columns;
  return (
    <div
      {...attributesOf.row({
        'aria-rowindex': number === undefined ? undefined : number + 2,
        'aria-selected': isSelected,
        'aria-current': isOpen || undefined,
        'data-index': index,
      })}
      className={classNames(
        'group/row absolute start-0 grid w-full min-w-(--row-width) border-line-soft border-b contain-strict',
        isCard ? 'grid-cols-1' : 'grid-cols-(--columns)',
        isOpen
          ? 'bg-active'
          : isSelected
            ? 'bg-selected hover:bg-selected-hover'
            : 'bg-surface hover:bg-hover',
        mark === 'changed' && 'animate-changed',
        mark === 'gone' && 'text-muted line-through',
      )}
      style={{ top, height }}
    >
      {!isCard && (
        <div
          {...attributesOf.cell({ 'aria-colindex': 1 })}
          className={classNames('flex items-center ps-6 -outline-offset-2', sticky, 'start-0')}
        >
          <input
            type="checkbox"
            aria-label={t`Select ${name}`}
            checked={isSelected}
            readOnly
            {...focusOf(0)}
          />
        </div>
      )}
      {shown.map((column, at) => {
        if (at === 0)
          return (
            <div
              key={column}
              {...attributesOf.cell({ 'aria-colindex': 2 })}
              className={classNames('flex min-w-0', sticky, 'start-12')}
            >
              <a
                href={href}
                {...avatar}
                {...focusOf(1)}
                className={classNames(
                  'flex min-w-0 grow items-center -outline-offset-2 focus-visible:rounded-xs',
                  isCard ? 'gap-3 px-4 [--disc:40px]' : 'gap-2.5 ps-2 pe-3',
                )}
              >
                {avatar === undefined && (
                  <span className="grid size-(--disc,28px) shrink-0 place-items-center rounded-sm bg-inactive-surface text-muted">
                    <Icon aria-hidden className="size-3.5" />
                  </span>
                )}
                <NameCell context={context} row={row} columns={columns} isCard={isCard} />
              </a>
            </div>
          );
        const content = cellContent(context, record, column, highlights);
        const phone = kindAt(resource, column) === 'phone' ? shownValue(record, column) : undefined;
        return (
          <div
            key={column}
            {...attributesOf.cell({ 'aria-colindex': at + 2 })}
            {...(typeof phone === 'string' && { [PHONE_ATTRIBUTE]: phone })}
            {...focusOf(at + 1)}
            className={classNames(
              textCell,
              (isInactive || mutedColumns.includes(column)) && 'text-muted',
              column.startsWith('counts.') && 'text-end',
            )}
          >
            {typeof phone === 'string' ? <Phone text={phone} shown={content} /> : content}
          </div>
        );
      })}
    </div>
  );
});
