import { records } from '@roster/contract/records';
import type { LogEvent } from '../checker/evidence.ts';
import { type Collection, collections, digestOf, eventDigestOf } from '../history.ts';

/** An event as the service shows it. */
export interface ShownEvent {
  position: number;
  type: string;
  subject: string;
  version: number;
  requestId: string | null;
  record: ({ status: string } & Record<string, unknown>) | null;
  previous: object;
  occurredAt: string;
  details: {
    scheduledChangeId?: string;
    scheduledBy?: string;
    bulkId?: string;
    mergeId?: string;
    mergedInto?: string;
    undoesMerge?: true;
  } | null;
}

const collectionOf = (singular: string): Collection | undefined =>
  collections.find((name) => records[name].singular === singular);

/** The ids of the records that a record refers to, by itself or in the items of a list. */
function referencesIn(collection: Collection, record: Record<string, unknown>): string[] {
  return records[collection].fields.flatMap(({ name, refersTo, parts = [] }) => {
    if (refersTo !== undefined) return record[name] ?? [];
    const inItems = parts.filter((part) => part.refersTo !== undefined);
    const items = (inItems.length > 0 ? (record[name] ?? []) : []) as Record<string, unknown>[];
    return items.flatMap((item) => inItems.flatMap((part) => item[part.name] ?? []));
  }) as string[];
}

function mergeOf({ details }: ShownEvent): LogEvent['merge'] {
  if (details?.mergeId === undefined) return undefined;
  const { mergeId: id, mergedInto: into, undoesMerge = false } = details;
  return { id, isUndo: undoesMerge, into };
}

/** An event as the checker remembers it. */
export function logEventOf(event: ShownEvent): LogEvent {
  const { position, type, subject, version, requestId, record, previous, occurredAt, details } = event;
  const [singular = '', verb] = type.split('.');
  const collection = collectionOf(singular);
  if (collection === undefined) throw new Error(`the event ${position} is of no resource: ${type}`);
  return {
    position,
    collection,
    verb: verb as LogEvent['verb'],
    subject,
    version,
    requestId,
    occurredAtMs: Date.parse(occurredAt),
    ...(details?.scheduledBy !== undefined && { scheduledChange: details.scheduledChangeId }),
    bulkId: details?.bulkId ?? null,
    merge: mergeOf(event),
    refersTo: record === null ? [] : referencesIn(collection, record),
    status: record?.status ?? '',
    digest: digestOf(record),
    before: digestOf({ ...record, ...previous }),
    whole: eventDigestOf(event),
  };
}
