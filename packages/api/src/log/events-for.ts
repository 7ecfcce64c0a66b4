import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { type Reader, withActors } from '../access/actors.ts';
import { seenAmong, withVisibleItems } from '../access/visible-items.ts';
import { definitions } from '../directory/registry.ts';
import type { Actor } from '../engine/actor.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { EventDetails } from './event-details.ts';

interface StoredEvent {
  type: string;
  actorId: string | null;
  actor: Actor | null;
  details?: EventDetails | null | undefined;
}

export interface EventReader {
  /** Undefined for the receiver of a webhook, who sees no names of actors. */
  caller: Reader;
  limit: OfficeLimit | undefined;
}

const mergedIds = ({ details }: StoredEvent) =>
  [details?.mergedInto, details?.mergedFrom].filter((id) => id !== undefined);

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

/** Removes hidden list items and merges, and adds the visible actor. */
export async function eventsFor<Read extends StoredEvent>(
  db: Kysely<Database>,
  stored: Read[],
  { caller, limit }: EventReader,
): Promise<Read[]> {
  const visible = await withVisibleItems(db, stored, limit);
  return withActors(db, await withSeenMerges(db, visible, limit), caller);
}
