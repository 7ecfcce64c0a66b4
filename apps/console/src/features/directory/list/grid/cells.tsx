import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Highlight } from '@roster/client';
import { isObject } from '@roster/fields/objects';
import { shownValue } from '@roster/import/people';
import type { ReactNode } from 'react';
import { fieldOf, kindAt, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../../resources/record.ts';
import { isPendingChange, nameOf, valueAt } from '../../../../resources/record.ts';
import { InactiveBadge, toneOfEnd } from '../../../../ui/badge.tsx';
import { RecordNames } from '../../../../ui/record-name.tsx';
import { daysUntil, relativeFormat } from '../../../../ui/relative-time.ts';
import { dayText, ExactTime, momentText, relativeText } from '../../../../ui/time.tsx';
import { choiceLabel } from '../../../fields/field-labels.ts';
import type { ReadPhone } from '../../../fields/phone-text.ts';
import { changeLabels } from '../../../fields/scheduled-labels.ts';
import { columnLabel } from '../columns.ts';

export interface CellContext {
  i18n: I18n;
  resource: ResourceName;
  readPhone: ReadPhone;
  /** Whether a record that is referred to is no link, as in one. */
  isPlain?: boolean;
}

function Marked({ text, ranges }: { text: string; ranges: readonly Highlight[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}

const endClasses = {
  neutral: 'text-muted',
  warning: 'font-medium text-soon',
  danger: 'font-medium text-danger',
};

/** The end of a licence: "in 12 days" or "3 days ago" if that is near, with the day as its tooltip; the day itself otherwise. */
export function LicenceEnd({ i18n, day }: { i18n: I18n; day: string }) {
  const days = daysUntil(day);
  const tone = toneOfEnd(days);
  const shown = dayText(i18n, day);
  const isNear = tone === 'warning' || (tone === 'danger' && days >= -60);
  const format = relativeFormat(i18n.locale);
  return (
    <time dateTime={day} data-tooltip={isNear ? shown : undefined} className={endClasses[tone]}>
      {isNear ? format.format(days, 'day') : shown}
    </time>
  );
}

function itemsText(i18n: I18n, items: readonly unknown[]): string {
  const texts = items.map((item) => {
    if (isPendingChange(item))
      return `${i18n._(changeLabels[item.change])} ${momentText(i18n, item.effectiveAt)}`;
    return String(isObject(item) ? (item.number ?? item.type) : item);
  });
  return texts.join(', ');
}

function referencesIn(
  { resource, isPlain }: CellContext,
  record: DirectoryRecord,
  name: string,
  ranges: readonly Highlight[],
): ReactNode {
  const { refersTo, parts } = fieldOf(resource, name) ?? {};
  if (refersTo !== undefined) {
    const id = String(record[name]);
    const embedded = record[name.replace(/Id$/, '')];
    const text = typeof embedded === 'object' && embedded !== null ? nameOf({ ...embedded }) : undefined;
    const shown =
      text === undefined ? (
        <RecordNames resource={refersTo} ids={[id]} />
      ) : (
        <Marked text={text} ranges={ranges} />
      );
    if (isPlain) return shown;
    return (
      <a
        href={`/console/${refersTo}/${id}`}
        data-follow={`/${refersTo}/${id}`}
        tabIndex={-1}
        className="underline-offset-[3px] group-hover/row:underline group-hover/row:decoration-control"
      >
        {shown}
      </a>
    );
  }
  const part = parts?.find((one) => one.refersTo !== undefined);
  const items = record[name];
  if (part?.refersTo === undefined || !Array.isArray(items)) return undefined;
  const ids = items.filter(isObject).map((item) => String(item[part.name]));
  return <RecordNames resource={part.refersTo} ids={ids} />;
}

function countText(i18n: I18n, { active }: { active?: unknown }): string {
  return typeof active === 'number' ? i18n.number(active) : '';
}

/** The column that shows a field of which letters were found. */
const columnOf = (field: string) => field.replace(/^place\./, 'address.').replace(/\.name$/, 'Id');

const active = msg`Active`;
const none = msg({ message: 'None', context: 'licence' });

/**
 * Renders the content of a cell. A function, and text without elements of its own wherever that says it all: lists have thousands
 * of cells, and elements are what they cost.
 */
export function cellContent(
  context: CellContext,
  record: DirectoryRecord,
  name: string,
  highlights: readonly Highlight[] = [],
): ReactNode {
  const { i18n, resource, readPhone } = context;
  const value = shownValue(record, name);
  if (value === undefined)
    return name === 'nextLicenseExpiresOn' ? <span className="text-muted">{i18n._(none)}</span> : null;
  const ranges = highlights.filter(({ field }) => columnOf(field) === name);
  const references = referencesIn(context, record, name, ranges);
  if (references !== undefined) return references;
  if (name === 'status') return value === 'active' ? i18n._(active) : <InactiveBadge />;
  if (name === 'nextLicenseExpiresOn') return <LicenceEnd i18n={i18n} day={String(value)} />;
  if (name === 'updatedAt') return relativeText(i18n, String(value));
  if (name.endsWith('At')) return <ExactTime time={String(value)} />;
  if (name === 'metadata') {
    const pairs = Object.entries(Object(value));
    return pairs.map(([key, text]) => `${key}: ${text}`).join(', ');
  }
  if (Array.isArray(value)) return itemsText(i18n, value);
  if (typeof value === 'object') return countText(i18n, { ...value });
  const label = choiceLabel(i18n, name, String(value));
  if (label !== undefined) return label;
  if (typeof value === 'number') return i18n.number(value);
  if (kindAt(resource, name) === 'phone') {
    const shown = readPhone(String(value));
    // The places in the stored number are others than in the one that is shown.
    return ranges.length === 0 ? shown : <mark>{shown}</mark>;
  }
  return ranges.length === 0 ? String(value) : <Marked text={String(value)} ranges={ranges} />;
}

/** The second line of a name: a hit of the search in a field that has no column, otherwise the job title. */
export function detailContent(
  context: CellContext,
  record: DirectoryRecord,
  { columns, highlights = [] }: { columns: readonly string[]; highlights: readonly Highlight[] | undefined },
): ReactNode {
  const isShown = (field: string) =>
    columns.includes(columnOf(field)) || ['title', 'firstName', 'lastName'].includes(field);
  // Letters that were found are shown once a row.
  const isHit = highlights.some(({ field }) => isShown(field));
  const hidden = highlights.find(({ field }) => typeof valueAt(record, field) === 'string');
  if (hidden !== undefined && !isHit) {
    const text = String(valueAt(record, hidden.field));
    const ranges = highlights.filter(({ field }) => field === hidden.field);
    return (
      <>
        {columnLabel(context.i18n, context.resource, columnOf(hidden.field))}:{' '}
        <Marked text={text} ranges={ranges} />
      </>
    );
  }
  if (typeof record.title !== 'string' || columns.includes('title')) return null;
  return cellContent(context, record, 'title', highlights);
}
