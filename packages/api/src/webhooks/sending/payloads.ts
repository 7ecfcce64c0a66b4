import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../../engine/office-limit.ts';
import { eventsFor } from '../../log/events-for.ts';
import { findEvents } from '../../log/repository.ts';
import { RecordEvent } from '../../log/schemas.ts';
import type { ClaimedDelivery } from '../delivery-queue.ts';
import { eventPayload, type Payload } from '../message.ts';

export type Payloads = ReadonlyMap<string, Payload>;

type Wanted = Pick<ClaimedDelivery, 'id' | 'position' | 'officeIds'>;

/** None if the log was compacted beyond the event, or the webhook lost its office. */
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
      // An event that violates the schema is sent unchanged, or it would never be sent.
      const { data = event } = RecordEvent.safeParse(event);
      return [data.position, eventPayload(data)];
    }),
  );
}
