import { constant, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { definitions, isKnownResource, type ResourceName } from '../directory/registry.ts';
import { limitColumnOf, type ResourceDefinition } from '../engine/definition.ts';
import { tableShape, timeText } from '../engine/json/record-json.ts';
import { compares, equalsAny, isAnyId } from '../engine/list/filters.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { isRowWithin, isWithin, isWithinLimit, type OfficeLimit } from '../engine/office-limit.ts';
import { claim } from '../engine/queue/claim.ts';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';
import { ScheduledChange } from './schemas.ts';

type Row = Selectable<Database['scheduled_change']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> =>
  sql.ref(`scheduled_change.${name}`);

/** By the record itself, even for a transfer. */
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
  officeId: string[];
  jobId: string[];
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
  filters: {
    subject: (values) => isAnyId('subject_id', values),
    resource: (values) => equalsAny('resource', values),
    officeId: (values) => isAnyId('office_id', values),
    jobId: (values) => isAnyId('job_id', values),
    change: (values) => equalsAny('change', values),
    effectiveSince: (time, { now }) => compares('effective_at', '>=', time, now),
    effectiveBefore: (time, { now }) => compares('effective_at', '<', time, now),
  },
  orderedIndexes: { subject_id: 'effective_at', office_id: 'effective_at', job_id: 'effective_at' },
});

export type LockedRecord = NonNullable<Awaited<ReturnType<typeof lockRecord>>>;

interface RecordToLock {
  id: string;
  limit: OfficeLimit | undefined;
  skipsLocked?: boolean;
}

/** Lock a record before its scheduled changes. With `skipsLocked` it does not wait. */
export async function lockRecord(
  trx: Transaction<Database>,
  { table, parent, limit: rule }: Pick<ResourceDefinition, 'table' | 'parent' | 'limit'>,
  { id, limit, skipsLocked = false }: RecordToLock,
) {
  const officeId = parent?.mustBeActive ? sql.ref<string | null>(parent.column) : sql<null>`null::uuid`;
  return trx
    .selectFrom(table)
    .where('id', '=', id)
    .where(isWithinLimit(rule?.column, limit))
    .select(['version', 'status', officeId.as('officeId')])
    .forNoKeyUpdate()
    .$if(skipsLocked, (record) => record.skipLocked())
    .executeTakeFirst();
}

/** Doesn't wait for another transaction. Resolves to whether the office is locked or missing. */
export async function lockOfficeUnlessChanging(trx: Transaction<Database>, id: string): Promise<boolean> {
  const office = trx.selectFrom('office').where('id', '=', id).select('id');
  const locked = await office.forShare().skipLocked().executeTakeFirst();
  return locked !== undefined || (await office.executeTakeFirst()) === undefined;
}

export async function insertScheduledChange(
  trx: Transaction<Database>,
  change: Omit<
    Row,
    'status' | 'attempts' | 'due_at' | 'finished_at' | 'error_code' | 'error' | 'patch' | 'job_id'
  >,
): Promise<void> {
  await trx
    .insertInto('scheduled_change')
    .values({ ...change, due_at: change.effective_at })
    .execute();
}

export async function pendingChanges(trx: Transaction<Database>, subjectId: string) {
  return trx
    .selectFrom('scheduled_change')
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'pending')
    .select([
      ...(['change', 'office_id as officeId', 'is_cascade as isCascade'] as const),
      timeText(column('effective_at')).as('effectiveAt'),
    ])
    .execute();
}

const stored = [
  ...(['id', 'resource', 'subject_id as subjectId', 'change', 'office_id as officeId'] as const),
  ...(['is_cascade as isCascade', 'patch', 'office_ids as officeIds', 'reason', 'status'] as const),
  ...(['scheduled_by as scheduledBy', 'attempts', 'due_at as dueAt'] as const),
  timeText(column('scheduled_at')).as('scheduledAt'),
];

/** `isLocked` locks the change until the transaction ends. Lock its record first. */
export async function findScheduledChange(
  db: Kysely<Database>,
  { id, isLocked = false }: { id: string; isLocked?: boolean },
) {
  return db
    .selectFrom('scheduled_change')
    .where('id', '=', id)
    .select(stored)
    .$if(isLocked, (query) => query.forUpdate())
    .$narrowType<{ resource: ResourceName }>()
    .executeTakeFirst();
}

export type StoredChange = NonNullable<Awaited<ReturnType<typeof findScheduledChange>>>;

/** A change is not due while an earlier one of its record is pending. */
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

/** Undefined if the change has ended, or another transaction has it. */
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
    .$narrowType<{ resource: ResourceName }>()
    .executeTakeFirst();
}

export interface Ending {
  status: 'done' | 'failed' | 'cancelled';
  now: Date;
  errorCode?: string;
  error?: string;
}

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

/** After a failure that may be temporary. */
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

/** Returns their number. Safe on any number of servers. */
export function purgeScheduledChanges(db: Kysely<Database>, retention: Retention): Promise<number> {
  const isOver = sql`status <> 'pending' and finished_at <= ${retentionEnd(retention)}`;
  return deleteInBatches(db, 'scheduled_change', isOver);
}
