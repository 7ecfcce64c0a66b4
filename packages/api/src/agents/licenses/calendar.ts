import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';

/** A time zone and the day that it is there: `{ zone: 'Europe/Lisbon', today: '2026-01-31' }`. */
export interface ZoneDay {
  zone: string;
  today: string;
}

/** The day in a time zone, as `YYYY-MM-DD`. */
function dayIn(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** The same; of a zone that this Node.js does not know, because a server with a newer one has accepted it, the day in UTC. */
function dayInOrUtc(zone: string, now: Date): string {
  try {
    return dayIn(zone, now);
  } catch (error) {
    if (error instanceof RangeError) return dayIn('UTC', now);
    throw error;
  }
}

/**
 * The day that it is in UTC and in the time zone of each office. By Node.js, which has accepted the zones; PostgreSQL may have other
 * zone data.
 */
export async function daysOfZones(db: Kysely<Database>, now: Date): Promise<ZoneDay[]> {
  const rows = await db
    .selectFrom('office')
    .where('time_zone', 'is not', null)
    .select('time_zone as zone')
    .distinct()
    .$narrowType<{ zone: string }>()
    .execute();
  const zones = new Set(['UTC', ...rows.map(({ zone }) => zone)]);
  return [...zones].map((zone) => ({ zone, today: dayInOrUtc(zone, now) }));
}
