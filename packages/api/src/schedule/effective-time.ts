import { codeOf, type Database, SQLSTATE } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { limitColumnOf, type ResourceDefinition } from '../engine/definition.ts';
import { isWithinLimit, type OfficeLimit } from '../engine/office-limit.ts';
import { invalidInput, type RosterError } from '../errors/roster-error.ts';
import type { CallContext } from '../trpc/context.ts';

/** At a time, on a day, or now if neither is given. */
export interface Effective {
  effectiveAt?: string | undefined;
  effectiveOn?: string | undefined;
}

export const YEARS_MAX = 10;

export type ReadZone = (db: Kysely<Database>) => Promise<{ zone: string | null } | undefined>;

export function zoneOfOffice(id: string, limit: OfficeLimit | undefined): ReadZone {
  return (db) => {
    const office = db.selectFrom('office').where('id', '=', id).where(isWithinLimit('id', limit));
    return office.select('time_zone as zone').executeTakeFirst();
  };
}

/** The time zone of the record's office, or of the office itself, within the limit. */
export function zoneOfRecord(
  resource: Pick<ResourceDefinition, 'table' | 'parent' | 'limit'>,
  { id, limit }: { id: string; limit: OfficeLimit | undefined },
): ReadZone {
  const { table, parent } = resource;
  if (resource.limit?.column === 'id') return zoneOfOffice(id, limit);
  if (parent === undefined) return async () => undefined;
  const office = sql.ref<string>(`${table}.${parent.column}`);
  return (db) =>
    db
      .selectFrom(table)
      .innerJoin('office', (on) => on.on('office.id', '=', office))
      .where(`${table}.id`, '=', id)
      .where(isWithinLimit(limitColumnOf(resource, table), limit))
      .select('office.time_zone as zone')
      .executeTakeFirst();
}

/** If clocks skip midnight, the day begins after the gap; if they repeat it, at the first one. */
export async function startOfDay(
  db: Kysely<Database>,
  { date, zone }: { date: string; zone: string },
): Promise<Date> {
  // Midnight by PostgreSQL's rules, and by the offset of the noon before; either may be the beginning. A tag: only expressions.
  const { rows } = await sql<{ start: Date }>`
    with midnight as (
      select ${date}::timestamp at time zone ${zone}::text as by_zone,
        (${date}::timestamp - interval '12 hours') at time zone ${zone}::text as noon_before
    ), moment as (
      select unnest(array[
        by_zone,
        ${date}::timestamp at time zone 'UTC' - (noon_before at time zone ${zone}::text - noon_before at time zone 'UTC')
      ]) as at
      from midnight
    )
    select min(at) as start from moment where (at at time zone ${zone}::text)::date >= ${date}::date`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without groups returned no row');
  return row.start;
}

function rejected(name: string, code: string, detail: string): RosterError {
  return invalidInput({ pointer: `#/${name}`, code, detail });
}

export async function startIn(db: Kysely<Database>, date: string, readZone: ReadZone): Promise<Date> {
  const zone = (await readZone(db))?.zone ?? 'UTC';
  try {
    return await startOfDay(db, { date, zone });
  } catch (error) {
    if (codeOf(error) !== SQLSTATE.invalidParameterValue) throw error;
    const detail = `needs effectiveAt instead: the database does not know the time zone ${zone} of the office`;
    throw rejected('effectiveOn', 'unknown_time_zone', detail);
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/**
 * Undefined if the change happens now, or its time or day has begun. Days begin at 00:00 in the time zone the
 * office has now, else in UTC. Throws `validation_failed` if both are given, or for more than ten years
 * ahead.
 */
export async function effectiveTime(
  { db, now: clock }: CallContext,
  { effectiveAt, effectiveOn }: Effective,
  readZone: ReadZone,
): Promise<Date | undefined> {
  if (effectiveAt === undefined && effectiveOn === undefined) return undefined;
  const name = effectiveOn === undefined ? 'effectiveAt' : 'effectiveOn';
  if (effectiveAt !== undefined && effectiveOn !== undefined)
    throw rejected(name, 'not_allowed', "can't be combined with effectiveAt");
  const now = clock();
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + YEARS_MAX);
  const tooLate = () =>
    rejected(name, 'out_of_range', `must not be more than ${YEARS_MAX} years in the future`);
  if (effectiveOn !== undefined) {
    // No time zone is more than a day from UTC.
    if (effectiveOn < dateOf(now.getTime() - 2 * DAY_MS)) return undefined;
    if (effectiveOn > dateOf(latest.getTime() + 2 * DAY_MS)) throw tooLate();
  }
  const at =
    effectiveOn === undefined ? new Date(effectiveAt ?? now) : await startIn(db, effectiveOn, readZone);
  if (at > latest) throw tooLate();
  return at > now ? at : undefined;
}
