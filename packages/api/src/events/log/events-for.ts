import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { definitions } from '../../directory.ts';
import type { Actor } from '../../engine/actor.ts';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import type { EventDetails } from '../../engine/outbox/event-details.ts';
import { type Reader, withActors } from '../../identity/access/actors.ts';
import { seenAmong } from '../../identity/access/seen-records.ts';
import { withVisibleItems } from '../../identity/access/visible-items.ts';

/** An event as it was read from the log: `actor` is to be filled in. */
interface StoredEvent {
  type: string;
  actorId: string | null;
  actor: Actor | null;
  details?: EventDetails | null | undefined;
}

/** The reader of an event: a caller, or the receiver of a webhook. */
export interface EventReader {
  /** Undefined for the receiver of a webhook, who may read the name of no actor. */
  caller: Reader;
  /** The offices to which the reader is limited; undefined for everything. */
  limit: OfficeLimit | undefined;
}

/** The two records of a merge; the event of each names the other. */
const mergedIds = ({ details }: StoredEvent) =>
  [details?.mergedInto, details?.mergedFrom].filter((id) => id !== undefined);

/** Leaves out of the details of events the ids of merged records that the reader does not see. */
async function withSeenMerges<Read extends StoredEvent>(
  db: Kysely<Database>,
  events: Read[],
  limit: OfficeLimit | undefined,
): Promise<Read[]> {
  if (limit === undefined) return events;
  const seen = new Set<string>();
  for (const definition of definitions) {
    const own = events.filter(({ type }) => type.startsWith(`${definition.table}.`));
    for (const id of await seenAmong(db, definition, { ids: own.flatMap(mergedIds), limit })) seen.add(id);
  }
  return events.map((event) => {
    if (mergedIds(event).every((id) => seen.has(id))) return event;
    const { mergedInto: _, mergedFrom: __, ...details } = event.details ?? {};
    return { ...event, details };
  });
}

/**
 * Makes of stored events, which are within the limit of a reader, what that reader gets, in the feed, a stream, a history and a webhook alike:
 * of lists of records and of merges those that the reader sees, and who made the change as far as the reader may know.
 */
export async function eventsFor<Read extends StoredEvent>(
  db: Kysely<Database>,
  stored: Read[],
  { caller, limit }: EventReader,
): Promise<Read[]> {
  const visible = await withVisibleItems(db, stored, limit);
  return withActors(db, await withSeenMerges(db, visible, limit), caller);
}
