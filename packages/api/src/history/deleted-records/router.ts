import { constant, type Database, fragment } from '@roster/db';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { withActors } from '../../access/actors.ts';
import { chooseNames, writeScopes } from '../../access/scopes.ts';
import { definitions, type ResourceName } from '../../directory/registry.ts';
import { type JsonShape, jsonShape, timeText } from '../../engine/json/record-json.ts';
import { compares, equalsAny } from '../../engine/list/filters.ts';
import { type Listable, listPage, type Page } from '../../engine/list/list-records.ts';
import type { IsWithin } from '../../engine/office-limit.ts';
import { keptUntil, retentionEnd } from '../../engine/retention.ts';
import { isNotMerged } from '../../engine/sql/filter.ts';
import { isLastStateWithin } from '../../engine/write/tombstones.ts';
import type { RecordCollaborators, RecordContext } from '../../records/procedure.ts';
import { type Given, operationsOf } from '../../trpc/init.ts';
import { procedureFor } from '../../trpc/procedure.ts';
import { type DeletedRecord, DeletedRecordPage, DeletedRecordQuery } from './schemas.ts';

type Row = Selectable<Database['tombstone']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`tombstone.${name}`);

interface StoredDeletion {
  id: string;
  resource: ResourceName;
  deletedAt: string;
  actorId: string | null;
  actor: null;
  reason: string | null;
  record: DeletedRecord['record'];
}

const deletions = sql.join(definitions.map(({ table }) => sql.lit(`${table}.deleted`)));

/** The event may be gone: the log can be compacted before deleted records expire. */
const ofEvent = (name: 'actor_id' | 'reason') => sql<string | null>`(
  select ${sql.ref(name)} from event
  where event.subject_id = ${column('id')} and event.type in (${deletions})
  order by event.occurred_at desc limit 1)`;

const shape: JsonShape<StoredDeletion> = jsonShape({
  id: column('id'),
  resource: column('collection') as RawBuilder<ResourceName>,
  deletedAt: timeText(column('deleted_at')),
  actorId: ofEvent('actor_id'),
  actor: sql<null>`null::json`,
  reason: ofEvent('reason'),
  record: column('record') as RawBuilder<DeletedRecord['record']>,
});

const isWithin: IsWithin = (offices) => {
  const cases = definitions.map(
    (resource) => sql`when ${sql.lit(resource.name)} then (${isLastStateWithin(resource, offices)})`,
  );
  return sql<boolean>`case collection ${sql.join(cases, sql` `)} end`;
};

interface DeletedRecordFilters {
  collection: string[];
  deletedSince: string;
  isRestorable: true;
}

const isRestorable = fragment(() => isNotMerged);

const deletedRecords: Listable<StoredDeletion, DeletedRecordFilters> = constant({
  name: 'deletedRecords',
  table: 'tombstone',
  ...shape,
  isWithin,
  filters: {
    collection: (values) => equalsAny('collection', values),
    deletedSince: (time, { now }) => compares('deleted_at', '>=', time, now),
    isRestorable: () => ({ condition: isRestorable({}), values: {} }),
  },
});

const operation = operationsOf('Deleted records');

/** Only of resources the caller may change. Throws `insufficient_scope` for others. */
async function listDeletedRecords(
  { db, caller, limit, now, settings: { retentionDays } }: RecordContext,
  { resource: named, ...page }: DeletedRecordQuery,
): Promise<Page<DeletedRecord>> {
  const collection = chooseNames(caller, named, 'write');
  const end = retentionEnd({ now: now(), retentionDays });
  const kept = { deletedSince: new Date(end.getTime() + 1).toISOString(), isRestorable: true as const };
  const request = { resource: deletedRecords, input: { ...page, collection }, kept, limit };
  const { items, ...rest } = await listPage(db, request);
  const shown = await withActors(db, items, caller);
  return {
    ...rest,
    items: shown.map((item) => {
      const restorableUntil = keptUntil(item.deletedAt, retentionDays).toISOString();
      return { ...item, restorableUntil } as DeletedRecord;
    }),
  };
}

export const deletedRecordsRouter = (settings: Given<RecordCollaborators>) => ({
  list: procedureFor(...writeScopes)
    .use(settings)
    .meta(
      operation('GET /deleted-records', {
        summary: 'List deleted records',
        description:
          'Lists deleted records that you can restore, each with its last state. Only resources you can change are ' +
          'included. If your access is restricted, only records of your offices are returned.',
        isLimited: true,
      }),
    )
    .input(DeletedRecordQuery)
    .output(DeletedRecordPage)
    .query(({ ctx, input }) => listDeletedRecords(ctx, input)),
});
