import { queryOf } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { limitFor } from '../../access/caller.ts';
import { valueAt } from '../../engine/fields/columns.ts';
import { isStorable } from '../../engine/fields/field.ts';
import { cursorAt, parseEdge, unknownCursor } from '../../engine/list/cursor.ts';
import type { Param } from '../../engine/sql/column-mapping.ts';
import { limitFilter, shapeFor } from '../../engine/sql/limited-rows.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { type QueryContext, runQuery } from '../../trpc/query-call.ts';
import { checkQuery, expectedOf, fieldOf } from './check.ts';
import type { Literal, RecordQuery, RecordQueryPage } from './condition.ts';
import { conditionSql, isId, orderedSql, valueSql } from './condition-sql.ts';
import { queried } from './fields.ts';
import type { StoredField } from './queried.ts';

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

interface OrderTerm extends StoredField {
  path: string;
  isDescending: boolean;
}

type Position = readonly (Literal | null)[];

/** Added tie-breakers have the direction before them, so that one index serves all. */
function orderOf({ resource, orderBy }: Pick<RecordQuery, 'resource' | 'orderBy'>): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  const { field: asked = '', isDescending = false } = orderBy.at(-1) ?? {};
  const tie = queried[resource].tieBreaks?.[asked];
  const last = [...(tie === undefined ? [] : [tie]), 'id'].map((field) => ({ field, isDescending }));
  for (const { field: path, isDescending } of [...orderBy, ...last]) {
    if (terms.has('id') || terms.has(path)) continue;
    terms.set(path, { ...fieldOf(queried[resource].fields, path, 'orderBy'), path, isDescending });
  }
  return [...terms.values()];
}

const ordered = ({ type, value }: StoredField) => orderedSql(type, value);

/** Null is lowest. Non-null columns have no NULLS clause, so that an index can be used. */
function orderBySql(terms: readonly OrderTerm[]): RawBuilder<unknown> {
  const directions = terms.map((term) => {
    const direction = sql.raw(term.isDescending ? 'desc' : 'asc');
    const nulls = term.isNullable ? sql.raw(term.isDescending ? ' nulls last' : ' nulls first') : sql``;
    return sql`${ordered(term)} ${direction}${nulls}`;
  });
  return sql`order by ${sql.join(directions)}`;
}

function isAt({ type, value }: OrderTerm, at: Literal | null): RawBuilder<unknown> {
  return at === null ? sql`${value} is null` : sql`${value} = ${valueSql(type, at)}`;
}

function isAfter(term: OrderTerm, at: Literal | null): RawBuilder<unknown> {
  if (at === null) return term.isDescending ? sql`false` : sql`${term.value} is not null`;
  const right = valueSql(term.type, at);
  if (!term.isDescending) return sql`${ordered(term)} > ${right}`;
  const isLess = sql`${ordered(term)} < ${right}`;
  return term.isNullable ? sql`(${isLess} or ${term.value} is null)` : isLess;
}

/** With non-null fields in one direction, an index can be used. */
function afterSql(terms: readonly OrderTerm[], position: Position): RawBuilder<unknown> {
  const at = (index: number) => position[index] ?? null;
  const isDescending = terms[0]?.isDescending === true;
  if (terms.every((term) => !term.isNullable && term.isDescending === isDescending)) {
    const values = terms.map(({ type }, index) => valueSql(type, at(index) ?? ''));
    const comparison = sql.raw(isDescending ? '<' : '>');
    return sql`(${sql.join(terms.map(ordered))}) ${comparison} (${sql.join(values)})`;
  }
  const cases = terms.map((term, index) => {
    const before = terms.slice(0, index).map((equal, place) => isAt(equal, at(place)));
    return sql`(${sql.join([...before, isAfter(term, at(index))], sql` and `)})`;
  });
  return sql`(${sql.join(cases, sql` or `)})`;
}

const boundTo = ({ resource, where, orderBy }: RecordQuery) => ['query', resource, where ?? null, orderBy];

const sort = { key: 'position', column: 'id', isDescending: false };

const NO_ID = '00000000-0000-0000-0000-000000000000';

function cursorAfter(record: Record<string, unknown>, query: RecordQuery): string {
  const position = orderOf(query).map(({ path }) => valueAt(record, path.split(/[.[\]]+/)));
  // The position contains the ID, which is no UUID for a list item.
  const edge = { value: JSON.stringify(position), id: NO_ID, side: 'after' as const };
  return cursorAt(edge, boundTo(query));
}

/** Throws `invalid_cursor`, and `cursor_mismatch` for one of another query. */
function parsePosition(cursor: string, query: RecordQuery): Position {
  const { value, side } = parseEdge(cursor, boundTo(query), sort);
  const terms = orderOf(query);
  const position = parsed(value);
  const isPosition =
    side === 'after' &&
    position.length === terms.length &&
    terms.every((term, index) => isValueOf(term, position[index]));
  if (!isPosition) throw new RosterError('invalid_cursor', unknownCursor);
  return position as Position;
}

function isValueOf({ type, isNullable }: OrderTerm, value: unknown): boolean {
  if (value === null) return isNullable;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  if (expectedOf(type, value) !== undefined) return false;
  return typeof value !== 'string' || (isStorable(value) && (type !== 'id' || isId(value)));
}

function parsed(value: string): unknown[] {
  try {
    const position: unknown = JSON.parse(value);
    return Array.isArray(position) ? position : [];
  } catch (cause) {
    throw new RosterError('invalid_cursor', unknownCursor, { cause });
  }
}
