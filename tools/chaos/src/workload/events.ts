import type { EventDetails } from '@roster/client';
import { records } from '@roster/contract/records';
import type { LogEvent } from '../checker/evidence.ts';
import { type Collection, collections, digestOf, eventDigestOf } from '../history.ts';

/** An event of a record, as the service shows it. */
export interface ShownEvent extends Pick<LogEvent, 'position' | 'subject' | 'version' | 'requestId'> {
  type: string;
  record: object | null;
  previous: object;
  occurredAt: string;
  details: EventDetails | null;
}

/** The ids of the records that a record refers to, by itself or in the items of a list. */
function referencesIn(collection: Collection, record: Record<string, unknown>): string[] {
  return records[collection].fields.flatMap(({ name, refersTo, parts = [] }) => {
    if (refersTo !== undefined) return record[name] ?? [];
    const inItems = parts.filter((part) => part.refersTo !== undefined);
    const items = (inItems.length > 0 ? (record[name] ?? []) : []) as Record<string, unknown>[];
    return items.flatMap((item) => inItems.flatMap((part) => item[part.name] ?? []));
  }) as string[];
}

/** An event as the checker remembers it. */
export function logEventOf(event: ShownEvent): LogEvent {
  const { position, type, subject, version, requestId, record, previous, occurredAt, details } = event;
  const [singular, verb] = type.split('.');
  const collection = collections.find((name) => records[name].singular === singular);
  if (collection === undefined) throw new Error(`the event ${position} is of no resource: ${type}`);
  const {
    scheduledBy,
    scheduledChangeId,
    bulkId,
    mergeId: id,
    mergedInto: into,
    undoesMerge,
  } = details ?? {};
  return {
    position,
    collection,
    verb: verb as LogEvent['verb'],
    subject,
    version,
    requestId,
    occurredAtMs: Date.parse(occurredAt),
    scheduledChange: scheduledBy && scheduledChangeId,
    bulkId,
    merge: id === undefined ? undefined : { id, isUndo: undoesMerge === true, into },
    refersTo: record === null ? [] : referencesIn(collection, { ...record }),
    digest: digestOf(record),
    before: digestOf({ ...record, ...previous }),
    whole: eventDigestOf(event),
  };
}
