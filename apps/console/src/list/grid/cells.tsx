import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Fragment, type ReactNode, Suspense } from 'react';
import { Badge } from '../../components/badge.tsx';
import { daysUntil, dayText, ExactTime, relativeTime } from '../../components/time.tsx';
import type { ResourceName } from '../../contract/contracts.ts';
import { choiceLabels } from '../../fields/part-labels.ts';
import { lazyComponent } from '../../page/locale.ts';
import { valueAt } from '../column-names.ts';
import type { Highlight, ListedRecord } from '../queries.ts';

const RecordName = lazyComponent('core', () => import('../../components/record-name.tsx'), 'RecordName');

/** A licence that ends in fewer days is marked. */
const SOON_DAYS = 60;

/** A text with what the search has found in it. */
function Marked({ text, ranges }: { text: string; ranges: readonly Highlight[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** A day on which a licence ends; marked if that is soon, or was. */
function licenseEnd(i18n: I18n, day: string): ReactNode {
  const days = daysUntil(day);
  const shown = dayText(i18n, day);
  if (days >= SOON_DAYS) return shown;
  return <Badge tone={days < 0 ? 'danger' : 'warning'}>{shown}</Badge>;
}

/** The names of records that another one refers to. */
function Names({ resource, ids }: { resource: ResourceName; ids: readonly string[] }) {
  return (
    <Suspense>
      {ids.map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <RecordName resource={resource} id={id} />
        </Fragment>
      ))}
    </Suspense>
  );
}

/** A list of objects, by what tells them apart. */
function listText(items: readonly unknown[]): string {
  const texts = items.map((item) => {
    if (typeof item !== 'object' || item === null) return String(item);
    const { number, type, at, effectiveAt } = item as Record<string, unknown>;
    return [number ?? type, effectiveAt ?? at].filter(Boolean).join(' ');
  });
  return texts.join(', ');
}

const references: Readonly<Record<string, 'offices' | 'agents'>> = {
  mainOfficeId: 'offices',
  brokerAgentId: 'agents',
  managerAgentId: 'agents',
  assistantToAgentId: 'agents',
};

const active = msg`Active`;
const inactive = msg`Inactive`;

const times = new Set(['createdAt', 'statusChangedAt', 'deactivatedAt', 'transferredAt']);

/**
 * What a cell shows of a record. A function, and text without elements of its own wherever that says it all: lists have thousands of
 * cells, and elements are what they cost.
 */
export function cellContent(
  i18n: I18n,
  record: ListedRecord,
  name: string,
  highlights: readonly Highlight[] = [],
): ReactNode {
  if (name === 'officeId') return 'office' in record ? record.office?.name : null;
  if (name === 'counts.agents') {
    const agents = 'counts' in record ? record.counts?.agents : undefined;
    return agents === undefined ? null : i18n.number(agents.active);
  }
  const value = valueAt(record, name);
  if (value === null || value === undefined || value === '') return null;
  const referred = references[name];
  if (referred !== undefined) return <Names resource={referred} ids={[String(value)]} />;
  if (name === 'affiliations')
    return (
      <Names resource="offices" ids={(value as { officeId: string }[]).map(({ officeId }) => officeId)} />
    );
  if (name === 'status')
    return value === 'active' ? i18n._(active) : <Badge tone="warning">{i18n._(inactive)}</Badge>;
  if (name === 'nextLicenseExpiresOn') return licenseEnd(i18n, String(value));
  if (name === 'updatedAt') return relativeTime(new Date(String(value)), i18n.locale);
  if (times.has(name)) return <ExactTime time={String(value)} />;
  if (name === 'metadata') {
    const pairs = Object.entries(value as Record<string, string>);
    return pairs.map(([key, text]) => `${key}: ${text}`).join(', ');
  }
  if (Array.isArray(value)) return listText(value);
  const label = choiceLabels[name]?.[String(value)];
  if (label !== undefined) return i18n._(label);
  if (typeof value === 'number') return i18n.number(value);
  const ranges = highlights.filter(({ field }) => field === name);
  return ranges.length === 0 ? String(value) : <Marked text={String(value)} ranges={ranges} />;
}
