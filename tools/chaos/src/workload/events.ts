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
  record: { status: string } | null;
  previous: object;
  occurredAt: string;
  details: { scheduledChangeId?: string; scheduledBy?: string; bulkId?: string } | null;
}

const collectionOf = (singular: string): Collection | undefined =>
  collections.find((name) => records[name].singular === singular);

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
    status: record?.status ?? '',
    digest: digestOf(record),
    before: digestOf({ ...record, ...previous }),
    whole: eventDigestOf(event),
  };
}
