import { constant, type Database, type StoredScheduledChange } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { definitions, isKnownResource, type ResourceName } from '../directory.ts';
import { limitColumnOf, type ResourceDefinition } from '../engine/definition.ts';
import { tableShape, timeText } from '../engine/json/record-json.ts';
import { compares, equalsAny, isAnyId } from '../engine/list/filters.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { andIsWithin, isRowWithin, isWithin, type OfficeLimit } from '../engine/office-limit.ts';
import { claim } from '../engine/queue/claim.ts';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';
import { ScheduledChange } from './schemas.ts';

type Row = Selectable<Database['scheduled_change']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> =>
  sql.ref(`scheduled_change.${name}`);

/** Whether the record that a change is of is within a limit; where a transfer leads, the record itself says too. */
function isSubjectWithin(offices: RawBuilder<unknown>): RawBuilder<boolean> {
  const subject = column('subject_id');
  const cases = definitions.map((definition) => {
    const { name, table } = definition;
    const id = sql.ref(`${table}.id`);
    const isSeen = isRowWithin(limitColumnOf(definition, table), offices);
    const isOfRecord =
      definition.limit?.column === 'id'
        ? isWithin(subject, offices)
        : sql`exists (select from ${sql.table(table)} where ${id} = ${subject} and ${isSeen})`;
    return sql`when ${sql.lit(name)} then ${isOfRecord}`;
  });
  return sql<boolean>`(case ${column('resource')} ${sql.join(cases, sql` `)} end)`;
}

interface ScheduledChangeFilters {
  subject: string[];
  resource: string[];
  /** The office of a transfer. */
  officeId: string[];
  change: string[];
  effectiveSince: string;
  effectiveBefore: string;
}

export const scheduledChanges: Listable<ScheduledChange, ScheduledChangeFilters> = constant({
  name: 'scheduledChanges',
  table: 'scheduled_change',
  noun: 'scheduled change',
  ...tableShape('scheduled_change', ScheduledChange, {
    subject: column('subject_id'),
    actor: sql`null::json`,
    cascade: column('is_cascade'),
  }),
  isWithin: isSubjectWithin,
  nameSort: { key: 'effectiveAt', column: 'effective_at' },
  filters: {
    subject: (values) => isAnyId('subject_id', values),
    resource: (values) => equalsAny('resource', values),
    officeId: (values) => isAnyId('office_id', values),
    change: (values) => equalsAny('change', values),
    effectiveSince: (time, { now }) => compares('effective_at', '>=', time, now),
    effectiveBefore: (time, { now }) => compares('effective_at', '<', time, now),
  },
  orderedIndexes: { subject_id: 'effective_at', office_id: 'effective_at' },
});

/** A record whose scheduled changes no other transaction changes until this one ends. */
export interface LockedRecord {
  version: number;
  status: 'active' | 'inactive';
  /** The office that must be active when the record is; null if there is none. */
  officeId: string | null;
}

interface RecordToLock {
  id: string;
  /** The offices to which the caller is limited; undefined for everything, and for the service itself. */
  limit: OfficeLimit | undefined;
  skipsLocked?: boolean;
}

/**
 * Locks a record, before its scheduled changes: whatever waits for both locks them in this order. With `skipsLocked`, for who has
 * claimed one of its changes, a record that is locked is not waited for. Returns undefined if there is none, or none within the limit.
 */
export async function lockRecord(
  trx: Transaction<Database>,
  { table, parent, limit: rule }: Pick<ResourceDefinition, 'table' | 'parent' | 'limit'>,
  { id, limit, skipsLocked = false }: RecordToLock,
): Promise<LockedRecord | undefined> {
  const officeId = parent?.mustBeActive ? sql.ref(parent.column) : sql`null::uuid`;
  const { rows } = await sql<LockedRecord>`
    select version, status, ${officeId} as "officeId" from ${sql.table(table)} where id = ${id}${andIsWithin(rule?.column, limit)}
    for no key update ${skipsLocked ? sql`skip locked` : sql``}`.execute(trx);
  return rows[0];
}

/**
 * Locks an office, so that it stays as it is until the transaction ends. One that another transaction changes is not waited
 * for. Resolves to whether it is locked, or there is none.
 */
export async function lockOfficeUnlessChanging(trx: Transaction<Database>, id: string): Promise<boolean> {
  const { rows } = await sql<{ isStable: boolean }>`
    with locked as (select id from office where id = ${id} for share skip locked)
    select exists (select from locked) or not exists (select from office where id = ${id}) as "isStable"`.execute(
    trx,
  );
  return rows[0]?.isStable === true;
}

/** Inserts a pending change. */
export async function insertScheduledChange(
  trx: Transaction<Database>,
  change: Omit<Row, 'status' | 'attempts' | 'due_at' | 'finished_at' | 'error_code' | 'error'>,
): Promise<void> {
  await trx
    .insertInto('scheduled_change')
    .values({ ...change, due_at: change.effective_at })
    .execute();
}

/** The pending changes of a record in the order of their times, as its column holds them. */
export async function pendingChanges(
  trx: Transaction<Database>,
  subjectId: string,
): Promise<(StoredScheduledChange & { isCascade: boolean })[]> {
  return trx
    .selectFrom('scheduled_change')
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'pending')
    .select([
      ...(['id', 'change'] as const),
      timeText(column('effective_at')).as('effectiveAt'),
      ...(['office_id as officeId', 'reason', 'scheduled_by as scheduledBy'] as const),
      timeText(column('scheduled_at')).as('scheduledAt'),
      'is_cascade as isCascade',
    ])
    .orderBy('effective_at')
    .orderBy('id')
    .execute();
}

/** A scheduled change, as it is stored. */
export interface StoredChange {
  id: string;
  resource: ResourceName;
  subjectId: string;
  change: StoredScheduledChange['change'];
  officeId: string | null;
  isCascade: boolean;
  /** The offices to which who scheduled it was limited; null for everything. */
  officeIds: string[] | null;
  reason: string | null;
  status: Row['status'];
  scheduledBy: string;
  scheduledAt: string;
  attempts: number;
  /** When it is to be tried: its time, or that of the next attempt. */
  dueAt: Date;
}

/** The columns of a stored change. */
const stored = [
  ...(['id', 'resource', 'subject_id as subjectId', 'change', 'office_id as officeId'] as const),
  ...(['is_cascade as isCascade', 'office_ids as officeIds', 'reason', 'status'] as const),
  ...(['scheduled_by as scheduledBy', 'attempts', 'due_at as dueAt'] as const),
  timeText(column('scheduled_at')).as('scheduledAt'),
];

/** Reads a change, and with `isLocked` locks it until the transaction ends, after waiting for it. Its record is to be locked before it. */
export async function findScheduledChange(
  db: Kysely<Database>,
  { id, isLocked = false }: { id: string; isLocked?: boolean },
): Promise<StoredChange | undefined> {
  return db
    .selectFrom('scheduled_change')
    .where('id', '=', id)
    .select(stored)
    .$if(isLocked, (query) => query.forUpdate())
    .$narrowType<Pick<StoredChange, 'resource'>>()
    .executeTakeFirst();
}

/**
 * Claims the change that has been due for longest, or the next one after `after`, until the transaction ends; undefined if there is
 * none. One of a record is not due while an earlier one is pending, so that those of a record happen in the order of their times.
 */
export function claimDueChange(
  trx: Transaction<Database>,
  { now, after }: { now: Date; after?: StoredChange | undefined },
): Promise<StoredChange | undefined> {
  const onward =
    after === undefined ? sql`` : sql`and (due_at, id) > (${after.dueAt}::timestamptz, ${after.id}::uuid)`;
  return claimOne(
    trx,
    sql`due_at <= ${now} ${onward} and not exists (
      select from scheduled_change as earlier
      where earlier.subject_id = scheduled_change.subject_id and earlier.status = 'pending'
        and (earlier.effective_at, earlier.id) < (scheduled_change.effective_at, scheduled_change.id)
    )`,
  );
}

/** Claims a pending change until the transaction ends; undefined if it has ended, or another transaction has it. */
export function claimChange(trx: Transaction<Database>, id: string): Promise<StoredChange | undefined> {
  return claimOne(trx, sql`id = ${id}`);
}

async function claimOne(
  trx: Transaction<Database>,
  condition: RawBuilder<unknown>,
): Promise<StoredChange | undefined> {
  const change = claim({
    table: 'scheduled_change',
    condition: sql`status = 'pending' and ${isKnownResource('resource')} and ${condition}`,
    order: sql`due_at, id`,
    max: 1,
    lease: 'transaction',
  });
  return trx
    .with('scheduled_change', () => sql<Row>`(${change})`)
    .selectFrom('scheduled_change')
    .select(stored)
    .$narrowType<Pick<StoredChange, 'resource'>>()
    .executeTakeFirst();
}

/** The end of a change. */
export interface Ending {
  status: 'done' | 'failed' | 'cancelled';
  now: Date;
  errorCode?: string;
  error?: string;
}

/** Ends a pending change. */
export async function endScheduledChange(
  trx: Transaction<Database>,
  id: string,
  { status, now, errorCode = undefined, error = undefined }: Ending,
): Promise<void> {
  await trx
    .updateTable('scheduled_change')
    .set({ status, finished_at: now, error_code: errorCode ?? null, error: error ?? null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Puts a pending change off after an attempt that failed for a cause that may pass. */
export async function postponeScheduledChange(
  db: Kysely<Database>,
  { id, dueAt }: { id: string; dueAt: Date },
): Promise<void> {
  await db
    .updateTable('scheduled_change')
    .set((row) => ({ attempts: row('attempts', '+', 1), due_at: dueAt }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/**
 * Deletes the changes that ended before the retention and returns their number. Any number of servers can run it at the same
 * time.
 */
export function purgeScheduledChanges(db: Kysely<Database>, retention: Retention): Promise<number> {
  const isOver = sql`status <> 'pending' and finished_at <= ${retentionEnd(retention)}`;
  return deleteInBatches(db, 'scheduled_change', isOver);
}
