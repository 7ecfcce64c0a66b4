import { constant, type Database, fragment } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { tableShape } from '../engine/json/record-json.ts';
import { equalsAny, isTrue } from '../engine/list/filters.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { View } from './schemas.ts';

const StoredView = View.extend({ createdBy: z.string() });
export type StoredView = z.infer<typeof StoredView>;

interface ViewFilters {
  resource: string[];
  isShared: boolean;
  /** Shared views, and those of this key or person. */
  visibleTo: string;
}

const isShared = fragment(() => sql`is_shared`);
const isVisibleTo = fragment(
  (_, param) => sql<boolean>`(is_shared or created_by = ${param('created_by')}::uuid)`,
);

export const views: Listable<StoredView, ViewFilters> = constant({
  name: 'views',
  table: 'saved_view',
  noun: 'view',
  ...tableShape('saved_view', StoredView, {}),
  isVersioned: true,
  filters: {
    resource: (values) => equalsAny('resource', values),
    isShared: isTrue(isShared({})),
    visibleTo: (id) => ({ condition: isVisibleTo({}), values: { created_by: id } }),
  },
  // Views contain no records, so limits don't apply.
  isWithin: () => sql`true`,
});

type ViewValues = Pick<View, 'name' | 'isShared' | 'query' | 'columns'>;

const valuesOf = ({ name, isShared, query, columns }: ViewValues) => ({
  name,
  is_shared: isShared,
  query: JSON.stringify(query),
  columns: JSON.stringify(columns),
});

export async function insertView(
  db: Kysely<Database>,
  { id, resource, now, ownerId, ...values }: ViewValues & Pick<View, 'id' | 'resource'> & Creation,
): Promise<void> {
  const times = { created_at: now, created_by: ownerId, updated_at: now };
  await db
    .insertInto('saved_view')
    .values({ id, resource, ...valuesOf(values), version: 1, ...times })
    .execute();
}

interface Creation {
  now: Date;
  ownerId: string;
}

/** The view must be locked. */
export async function changeView(
  trx: Kysely<Database>,
  { id, now, ...values }: ViewValues & { id: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('saved_view')
    .set((row) => ({ ...valuesOf(values), version: row('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute();
}
