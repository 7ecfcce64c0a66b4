import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../../engine/office-limit.ts';
import { eventsFor } from '../../events/log/events-for.ts';
import { findEvents } from '../../events/log/repository.ts';
import { RecordEvent } from '../../events/log/schemas.ts';
import type { ClaimedDelivery } from '../delivery-queue.ts';
import { eventPayload, type Payload } from '../message.ts';

/** The payloads of deliveries, by the ids of these. */
export type Payloads = ReadonlyMap<string, Payload>;

type Wanted = Pick<ClaimedDelivery, 'id' | 'position' | 'officeIds'>;

/**
 * Loads the payloads of deliveries. One has none if the log was compacted beyond its event, or the event is of an office that the webhook
 * has no longer.
 */
export async function loadPayloads(db: Kysely<Database>, deliveries: readonly Wanted[]): Promise<Payloads> {
  const payloads = new Map<string, Payload>();
  for (const group of Map.groupBy(deliveries, ({ officeIds }) => JSON.stringify(officeIds)).values()) {
    const byPosition = await payloadsOf(db, group);
    for (const { id, position } of group) {
      const payload = byPosition.get(position);
      if (payload !== undefined) payloads.set(id, payload);
    }
  }
  return payloads;
}

/** The payloads of deliveries for the same offices, by the positions of their events. */
async function payloadsOf(
  db: Kysely<Database>,
  deliveries: readonly Wanted[],
): Promise<ReadonlyMap<number, Payload>> {
  const officeIds = deliveries[0]?.officeIds ?? null;
  const limit = officeIds === null ? undefined : await readLimit(db, officeIds);
  const positions = [...new Set(deliveries.map(({ position }) => position))];
  const stored = await findEvents<RecordEvent>(db, positions, limit);
  const events = await eventsFor(db, stored, { caller: undefined, limit });
  return new Map(
    events.map((event) => {
      // An event that does not match the schema is sent as it is, because it would never be sent otherwise.
      const { data = event } = RecordEvent.safeParse(event);
      return [data.position, eventPayload(data)];
    }),
  );
}
