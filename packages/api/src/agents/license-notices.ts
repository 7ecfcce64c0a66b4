import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { licenseExpiryOrder } from '../directory/licenses.ts';
import { definitions } from '../directory/registry.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { causeColumns, insertEvents } from '../engine/outbox/event-outbox.ts';
import { startPeriodicJob } from '../engine/queue/periodic-job.ts';

const BATCH_SIZE = 1_000;
/** Minimum days to notice an expired licence, in case no server ran on its last day. */
const LATE_DAYS_MIN = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;
const NOTICE_DAYS_MAX = 365;

export interface NoticeOptions {
  now: Date;
  /** Days before a licence's last day: 90, 60, 30, 0. None disables notices. */
  noticeDays: readonly number[];
}

type Resource = Pick<ResourceDefinition, 'table' | 'record' | 'limit' | 'parent'>;

/** The office that has the record's time zone. */
function officeJoin({ table, limit, parent }: Resource): RawBuilder<unknown> {
  if (limit?.column === 'id') return sql``;
  const officeId = parent === undefined ? sql`null` : sql.ref(`${table}.${parent.column}`);
  return sql`left join office on office.id = ${officeId}`;
}

const lateDays = (noticeDays: readonly number[]) => Math.max(LATE_DAYS_MIN, ...noticeDays);

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

interface Place {
  expiry: string;
  id: string;
}

interface Batch {
  events: number;
  last: Place | null;
}

interface Pass extends NoticeOptions {
  days: ZoneDay[];
  from: string;
  until: string;
}

/**
 * Notices the licences of the next records by expiry. Only the latest due threshold counts (`days_before` is
 * the least that is not less than the days left), once. Locks the record while inserting its event, so that
 * the event has the current state and comes after earlier ones; a locked record waits for the next pass.
 */
async function noticeBatch(
  db: Kysely<Database>,
  resource: Resource,
  { now, noticeDays, days, from, until, after }: Pass & { after: Place | undefined },
): Promise<Batch> {
  const { table, record } = resource;
  const name = sql.table(table);
  const order = licenseExpiryOrder;
  const onward = after === undefined ? sql`` : sql`and (${order}, id) > (${after.expiry}, ${after.id}::uuid)`;
  const cause = causeColumns({ now, actorId: null, requestId: null });
  const { rows } = await sql<Batch>`
    with zone as materialized (
      select zone as name, today from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as given (zone text, today date)
    ), day as materialized (
      select today, to_char(today + days_left, 'YYYY-MM-DD') as day, days_left,
        (select min(days) from unnest(${[...noticeDays]}::int[]) as days where days >= days_left) as days_before
      from (select distinct today from zone) as todays
        cross join generate_series(${-lateDays(noticeDays)}::int, ${Math.max(...noticeDays)}::int) as days_left
    ), batch as materialized (
      select id, status, licenses, created_at, ${order} as expiry from ${name}
      where ${order} <= ${until} ${onward} order by ${order}, id limit ${BATCH_SIZE}
    ), held as materialized (
      select distinct batch.id, batch.licenses, license, license ->> 'expiresOn' as expires_on
      from batch cross join jsonb_array_elements(batch.licenses) as license
      where batch.status = 'active'
        and (license ->> 'expiresOn') collate "C" >= greatest(${from}, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'))
    ), due as materialized (
      select held.id, held.licenses, license, days_left, days_before
      from held join ${name} using (id) ${officeJoin(resource)}
        join zone on zone.name = coalesce(office.time_zone, 'UTC')
        join day on day.today = zone.today and day.day = held.expires_on
      where not exists (
        select from license_notice as notice
        where notice.subject_id = held.id and notice.license = held.license
          and notice.days_before <= day.days_before)
    ), locked as materialized (
      select ${name}.id, version, ${record} as record, license, days_left, days_before
      from due join ${name} on ${name}.id = due.id and ${name}.licenses = due.licenses
      where status = 'active' order by ${name}.id for share of ${name} skip locked
    ), noticed as (
      insert into license_notice (subject_id, license, days_before, noticed_at)
      select id, license, days_before, ${now} from locked on conflict do nothing
      returning subject_id, license
    ), event_rows as materialized (
      select id, version, record, '{}'::json as previous, json_build_object(
        'license', json_build_object('number', locked.license -> 'number', 'region', locked.license -> 'region',
          'type', locked.license -> 'type', 'expiresOn', locked.license -> 'expiresOn'),
        'daysLeft', days_left) as details
      from locked join noticed on subject_id = id and noticed.license = locked.license
    ), written as (${insertEvents({ table, verb: 'license_expiring', cause: { ...cause, details: sql.ref('details') } })})
    select (select count(*)::int from event_rows) as events, (
      select json_build_object('expiry', expiry, 'id', id) from batch
      order by expiry collate "C" desc, id desc limit 1
    ) as last`.execute(db);
  return rows[0] ?? { events: 0, last: null };
}

/**
 * Inserts an event for each licence of an active record that has reached a threshold, by the time zone of the
 * office: one per threshold, or one for the latest of several passed since the last pass. Licences that
 * expired longer ago than the largest threshold, and at least 30 days, have none, nor have those that expired
 * before the record was created. Doesn't change the record.
 * Safe on any number of servers.
 *
 * @returns the number of inserted events
 */
export async function noticeLicenses(
  db: Kysely<Database>,
  resources: readonly Resource[],
  options: NoticeOptions,
): Promise<number> {
  const { now, noticeDays } = options;
  if (noticeDays.length === 0) return 0;
  const days = await daysOfZones(db, now);
  const todays = days.map(({ today }) => today).sort();
  const from = dayAfter(todays.at(0) ?? '', -lateDays(noticeDays));
  const until = dayAfter(todays.at(-1) ?? '', Math.max(...noticeDays));
  let events = 0;
  for (const resource of resources) {
    for (let after: Place | undefined; ; ) {
      const batch = await noticeBatch(db, resource, { ...options, days, from, until, after });
      events += batch.events;
      if (batch.last === null) break;
      after = batch.last;
    }
  }
  return events;
}

/** Deletes notices outside `NOTICE_DAYS_MAX` days around a licence's last day, which are no longer needed. */
export async function deleteOldNotices(db: Kysely<Database>, now: Date): Promise<void> {
  const end = new Date(now.getTime() - (2 * NOTICE_DAYS_MAX + 1) * DAY_MS);
  await db.deleteFrom('license_notice').where('noticed_at', '<', end).execute();
}

/** For the statement that purges records, whose IDs are in `gone`. */
export const forgottenNotices = sql`delete from license_notice where subject_id in (select id from gone)`;

interface ZoneDay {
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
async function daysOfZones(db: Kysely<Database>, now: Date): Promise<ZoneDay[]> {
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

/** Also the delay for a licence entered late. */
const INTERVAL_MS = 10_000;

interface LicenseWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  noticeDays: readonly number[];
  onError: (error: unknown) => void;
}

/** Runs on one server at a time. The returned function resolves when the current pass has ended. */
export function startLicenseWorker({
  db,
  now,
  noticeDays,
  onError,
}: LicenseWorkerOptions): () => Promise<void> {
  if (noticeDays.length === 0) return () => Promise.resolve();
  const licensed = definitions.filter(({ fields }) => 'licenses' in fields);
  const run = () => noticeLicenses(db, licensed, { now: now(), noticeDays });
  return startPeriodicJob(db, { name: 'license notices', intervalMs: INTERVAL_MS, run, onError });
}
