import { setTimeout } from 'node:timers/promises';
import type { Event, RosterClient } from '@roster/client';

/** The events of a record, once there are so many: the log is a moment behind the changes. */
export async function logged({ events }: RosterClient, subject: string, count: number): Promise<Event[]> {
  for (;;) {
    const { items } = await events.list.query({ subject });
    if (items.length >= count) return items;
    await setTimeout(10);
  }
}
