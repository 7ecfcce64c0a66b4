import type { LogEvent } from '../checker/evidence.ts';
import { type Collection, digestOf, eventDigestOf } from '../history.ts';

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

const collections: Record<string, Collection> = { office: 'offices', agent: 'agents' };

/** An event as the checker remembers it. */
export function logEventOf(event: ShownEvent): LogEvent {
  const { position, type, subject, version, requestId, record, previous, occurredAt, details } = event;
  const [resource = '', verb] = type.split('.');
  return {
    position,
    collection: collections[resource] ?? 'offices',
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
