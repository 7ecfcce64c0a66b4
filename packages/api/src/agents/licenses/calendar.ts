import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';

export interface ZoneDay {
  zone: string;
  today: string;
}

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

/** Falls back to UTC for a zone only a newer Node.js knows. */
function dayInOrUtc(zone: string, now: Date): string {
  try {
    return dayIn(zone, now);
  } catch (error) {
    if (error instanceof RangeError) return dayIn('UTC', now);
    throw error;
  }
}

/** By Node.js, which has validated the zones; PostgreSQL's zone data may differ. */
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
