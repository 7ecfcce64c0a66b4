import { type Database, fragment } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type DirectoryResource, definitions } from '../../directory/registry.ts';
import type { Reference } from '../../engine/definition.ts';
import { columnOf } from '../../engine/fields/columns.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import type { Columns, Param } from '../../engine/sql/column-mapping.ts';
import { byIds, changeRecords } from '../../engine/write/mutations.ts';
import type { Json } from '../../records/field-changes.ts';

const BATCH_SIZE = 500;

type Resource = DirectoryResource<{ id: string }>;
type Trx = Transaction<Database>;

export interface Move {
  from: string;
  to: string;
}

function referringColumns({ references }: Resource, table: string): [string, Reference][] {
  return Object.entries<Reference>(references).filter(([, reference]) => reference.table === table);
}

/** A tag, because tables and columns come from the definitions of references. */
async function findReferring(
  trx: Trx,
  { table }: Resource,
  { columns, from, to }: Move & { columns: [string, Reference][] },
): Promise<string[]> {
  const selects = columns.map(([column, { items }]) =>
    items === undefined
      ? sql`select id from ${sql.table(table)} where ${sql.ref(column)} = ${from}::uuid`
      : sql`select ${sql.ref(items.rows.owner)} from ${sql.table(items.rows.table)} where ${sql.ref(items.rows.column)} = ${from}::uuid`,
  );
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(selects, sql` union `)}) as referring (id)
    where id <> ${from}::uuid and id <> ${to}::uuid order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

const moved = (column: RawBuilder<unknown>, param: Param) =>
  sql`case when ${column} = ${param('moved_from')}::uuid then ${param('moved_to')}::uuid else ${column} end`;

/** Removes the items if the list already has the other ID, or the record is in that office. */
function movedItems(
  column: string,
  field: string,
  { param, parent }: { param: Param; parent: RawBuilder<unknown> },
) {
  const id = sql`item ->> ${sql.lit(field)}`;
  const [from, to] = [sql`${param('moved_from')}::text`, sql`${param('moved_to')}::text`];
  const target = sql.ref(`target.${column}`);
  const hasOther = sql`${target} @> jsonb_build_array(jsonb_build_object(${sql.lit(field)}, ${to}))`;
  return sql`(
    select coalesce(jsonb_agg(
      case when ${id} = ${from} then item || jsonb_build_object(${sql.lit(field)}, ${to}) else item end order by place), '[]')
    from jsonb_array_elements(${target}) with ordinality as held (item, place)
    where ${id} <> ${from} or not (${hasOther} or ${parent}::text is not distinct from ${to}))`;
}

interface MovedColumn {
  column: string;
  field: string | undefined;
  /** Undefined if its records belong to no office. */
  parentColumn: string | undefined;
  isParentMoved: boolean;
}

const movedColumn = fragment<MovedColumn>(({ column, field, parentColumn, isParentMoved }, param) => {
  if (field === undefined) return moved(sql.ref(`target.${column}`), param);
  const parent = parentColumn === undefined ? sql`null` : sql.ref(`target.${parentColumn}`);
  return movedItems(column, field, { param, parent: isParentMoved ? moved(parent, param) : parent });
});

function movedColumns({ parent }: Resource, columns: [string, Reference][]): Columns {
  const parentColumn = parent?.column;
  const isParentMoved = columns.some(([column]) => column === parentColumn);
  return Object.fromEntries(
    columns.map(([column, { items }]) => {
      const by = movedColumn({ column, field: items?.field, parentColumn, isParentMoved });
      return [column, { value: undefined, by, reads: parentColumn === undefined ? [] : [parentColumn] }];
    }),
  );
}

/**
 * Moves all references in the directory from one record to another, with one event for each changed record.
 * Ignores limits, because what moves still refers to the same thing.
 *
 * @returns the IDs of the changed records, by resource
 */
export async function moveReferences(
  trx: Trx,
  { table }: Resource,
  { cause, ...move }: Move & { cause: ChangeCause },
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const referring of definitions as readonly Resource[]) {
    const columns = referringColumns(referring, table);
    if (columns.length === 0) continue;
    const ids = await findReferring(trx, referring, { columns, ...move });
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const selection = byIds(ids.slice(start, start + BATCH_SIZE));
      const values = { ...selection.values, moved_from: move.from, moved_to: move.to };
      await changeRecords(trx, referring, {
        selection: { ...selection, values },
        columns: movedColumns(referring, columns),
        verb: 'updated',
        cause,
        limit: undefined,
      });
    }
    if (ids.length > 0) found[referring.name] = ids;
  }
  return found;
}

/** References become empty, or the duplicate's parent if the duplicate is the parent. */
export function ownReferences(
  { references, parent, table, fields }: Resource,
  { survivor, duplicate }: { survivor: Json; duplicate: Json },
): Columns {
  const own = Object.keys(fields).filter(
    (name) => references[columnOf(name)]?.table === table && survivor[name] === duplicate.id,
  );
  return Object.fromEntries(
    own.map((name) => {
      const above = name === parent?.field ? duplicate[name] : null;
      return [columnOf(name), { value: above === survivor.id ? null : above }];
    }),
  );
}
