import { constant, type Database, fragment } from '@roster/db';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { definitions, type ResourceName } from '../../directory/registry.ts';
import { type JsonShape, jsonShape, timeText } from '../../engine/json/record-json.ts';
import { compares, equalsAny } from '../../engine/list/filters.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import type { IsWithin } from '../../engine/office-limit.ts';
import { isNotMerged } from '../../engine/sql/filter.ts';
import { isLastStateWithin } from '../../engine/write/tombstones.ts';
import type { DeletedRecord } from './schemas.ts';

type Row = Selectable<Database['tombstone']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`tombstone.${name}`);

export interface StoredDeletion {
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

export const deletedRecords: Listable<StoredDeletion, DeletedRecordFilters> = constant({
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
