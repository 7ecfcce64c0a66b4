import { queryOf } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { limitFor } from '../../access/caller.ts';
import type { Param } from '../../engine/sql/column-mapping.ts';
import { limitFilter, shapeFor } from '../../engine/sql/limited-rows.ts';
import { type QueryContext, runQuery } from '../../trpc/query-call.ts';
import { checkQuery } from './check.ts';
import type { RecordQuery, RecordQueryPage } from './condition.ts';
import { conditionSql } from './condition-sql.ts';
import { queried } from './fields.ts';
import { afterSql, cursorAfter, orderBySql, orderOf, parsePosition } from './order.ts';

interface PageRow {
  items: Record<string, unknown>[];
  total?: number;
}

/**
 * One page by keyset, within the limit. Page and total are from one snapshot.
 *
 * Throws `insufficient_scope`, `invalid_parameter` (unknown fields, wrong types, exceeded limits),
 * `invalid_cursor`, `cursor_mismatch`, and `timeout` if it takes too long.
 */
export function queryRecords(context: QueryContext, query: RecordQuery): Promise<RecordQueryPage> {
  return runQuery(() => readPage(context, query));
}

async function readPage(context: QueryContext, query: RecordQuery): Promise<RecordQueryPage> {
  const limit = limitFor(context.caller, { scope: `${queried[query.resource].resource}:read` });
  checkQuery(query);
  const { rows } = await context.db.executeQuery(pageQuery(query, limit));
  const [row] = rows;
  if (row === undefined) throw new Error('a page is one row');
  const items = row.items.slice(0, query.limit);
  const last = row.items.length > items.length ? items.at(-1) : undefined;
  return {
    items,
    ...(last && { nextCursor: cursorAfter(last, query) }),
    ...(row.total !== undefined && { total: row.total }),
  };
}

/** Not a prepared statement: each shape of condition would displace those of other requests. */
function pageQuery(query: RecordQuery, limit: ReturnType<typeof limitFor>) {
  const { resource: name, where, cursor, skip = 0, includeTotal = false } = query;
  const { from, shape, isWithin } = queried[name];
  const within = limitFilter({ name, ...(isWithin && { isWithin }) }, limit);
  const param: Param = (key) => sql`${within?.values[key]}`;
  const conditions = [
    ...(within === undefined ? [] : [within.condition.sql(param)]),
    ...(where === undefined ? [] : [conditionSql(name, where)]),
  ];
  const terms = orderOf(query);
  const after = cursor === undefined ? [] : [afterSql(terms, parsePosition(cursor, query))];
  const meets = (all: readonly RawBuilder<unknown>[]) =>
    all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
  const total = includeTotal
    ? sql`, (select count(*) from ${from} ${meets(conditions)})::float8 as total`
    : sql``;
  const skipped = cursor === undefined && skip > 0 ? sql` offset ${sql.lit(skip)}` : sql``;
  return queryOf(
    sql<PageRow>`
      select coalesce(json_agg(item), '[]') as items${total}
      from (
        select ${shapeFor(shape, { isLimited: within !== undefined, param }).record} as item from ${from}
        ${meets([...conditions, ...after])} ${orderBySql(terms)} limit ${sql.lit(query.limit + 1)}${skipped}
      ) as page`,
    { isReadOnly: true, isPlannedForValues: true },
  );
}
