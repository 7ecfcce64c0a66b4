import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ChangeKind } from '@roster/client';
import type { ReactNode } from 'react';
import { fieldOf, kindAt, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { DirectoryRecord, Highlight } from '../../../../resources/record.ts';
import { nameOf, valueAt } from '../../../../resources/record.ts';
import { Badge, InactiveBadge, toneOfEnd } from '../../../../ui/badge.tsx';
import { RecordNames } from '../../../../ui/record-name.tsx';
import { daysUntil } from '../../../../ui/relative-time.ts';
import { dayText, ExactTime, momentText, relativeText } from '../../../../ui/time.tsx';
import { choiceLabel } from '../../../fields/field-labels.ts';
import type { ReadPhone } from '../../../fields/phone-text.ts';
import { changeLabels } from '../../../fields/scheduled-labels.ts';

function Marked({ text, ranges }: { text: string; ranges: readonly Highlight[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}

function licenseEnd(i18n: I18n, day: string): ReactNode {
  const tone = toneOfEnd(daysUntil(day));
  const shown = dayText(i18n, day);
  return tone === 'neutral' ? shown : <Badge tone={tone}>{shown}</Badge>;
}

function itemsText(i18n: I18n, items: readonly unknown[]): string {
  const texts = items.map((item) => {
    if (typeof item !== 'object' || item === null) return String(item);
    const { number, type, change, effectiveAt } = item as Record<string, unknown>;
    if (effectiveAt === undefined) return String(number ?? type);
    return `${i18n._(changeLabels[change as ChangeKind])} ${momentText(i18n, String(effectiveAt))}`;
  });
  return texts.join(', ');
}

function referencesIn(resource: ResourceName, record: DirectoryRecord, name: string): ReactNode {
  const { refersTo, parts } = fieldOf(resource, name) ?? {};
  if (refersTo !== undefined) {
    const embedded = record[name.replace(/Id$/, '')];
    if (typeof embedded === 'object' && embedded !== null) return nameOf(embedded as Record<string, unknown>);
    return <RecordNames resource={refersTo} ids={[String(record[name])]} />;
  }
  const part = parts?.find((one) => one.refersTo !== undefined);
  if (part?.refersTo === undefined || !Array.isArray(record[name])) return undefined;
  const ids = (record[name] as Record<string, unknown>[]).map((item) => String(item[part.name]));
  return <RecordNames resource={part.refersTo} ids={ids} />;
}

function countText(i18n: I18n, { active }: { active?: unknown }): string {
  return typeof active === 'number' ? i18n.number(active) : '';
}

const active = msg`Active`;

/**
 * Renders the content of a cell. A function, and text without elements of its own wherever that says it all: lists have thousands
 * of cells, and elements are what they cost.
 */
export function cellContent(
  { i18n, resource, readPhone }: { i18n: I18n; resource: ResourceName; readPhone: ReadPhone },
  record: DirectoryRecord,
  name: string,
  highlights: readonly Highlight[] = [],
): ReactNode {
  const value = valueAt(record, name);
  if (value === null || value === undefined || value === '') return null;
  const references = referencesIn(resource, record, name);
  if (references !== undefined) return references;
  if (name === 'status') return value === 'active' ? i18n._(active) : <InactiveBadge />;
  if (name === 'nextLicenseExpiresOn') return licenseEnd(i18n, String(value));
  if (name === 'updatedAt') return relativeText(i18n, String(value));
  if (name.endsWith('At')) return <ExactTime time={String(value)} />;
  if (name === 'metadata') {
    const pairs = Object.entries(value as Record<string, string>);
    return pairs.map(([key, text]) => `${key}: ${text}`).join(', ');
  }
  if (Array.isArray(value)) return itemsText(i18n, value);
  if (typeof value === 'object') return countText(i18n, value);
  const label = choiceLabel(i18n, name, String(value));
  if (label !== undefined) return label;
  if (typeof value === 'number') return i18n.number(value);
  const ranges = highlights.filter(({ field }) => field === name);
  if (kindAt(resource, name) === 'phone') {
    const shown = readPhone(String(value));
    // The places in the stored number are others than in the one that is shown.
    return ranges.length === 0 ? shown : <mark>{shown}</mark>;
  }
  return ranges.length === 0 ? String(value) : <Marked text={String(value)} ranges={ranges} />;
}
