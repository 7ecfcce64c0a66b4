import { queryOf } from '@roster/db';
import { sql } from 'kysely';
import { timeText } from '../../engine/json/record-json.ts';
import type { Param } from '../../engine/sql/column-mapping.ts';
import { limitFilter } from '../../engine/sql/limited-rows.ts';
import { limitFor } from '../../identity/access/caller.ts';
import { type QueryContext, runQuery } from '../../trpc/query-call.ts';
import type { RecordQuery } from './condition.ts';
import { queried } from './fields.ts';

/** A text that records have in a field. */
export interface FieldText {
  field: string;
  text: string;
  /** When the last of these records was changed. */
  updatedAt: string;
}

/** The fields, texts or lists of texts, of a resource. */
export interface FieldTextQuery {
  resource: RecordQuery['resource'];
  fields: readonly string[];
  /** The number of texts, of all fields together: the others are left out. */
  limit: number;
}

/**
 * Reads the different texts that the records of a resource, within the limit of the caller, have in some fields. It reads every such
 * record. Throws `insufficient_scope`, and `timeout` if it takes the database too long.
 */
export function findFieldTexts(context: QueryContext, query: FieldTextQuery): Promise<FieldText[]> {
  return runQuery(async () => {
    const limit = limitFor(context.caller, { scope: `${queried[query.resource].resource}:read` });
    const { rows } = await context.db.executeQuery(statementOf(query, limit));
    return rows;
  });
}

function statementOf(
  { resource: name, fields, limit: count }: FieldTextQuery,
  limit: ReturnType<typeof limitFor>,
) {
  const { from, fields: stored, isWithin } = queried[name];
  const within = limitFilter({ name, ...(isWithin && { isWithin }) }, limit);
  const param: Param = (key) => sql`${within?.values[key]}`;
  const texts = fields.map((field) => {
    const one = stored[field];
    if (one === undefined) throw new Error(`${name} have no field ${field}`);
    const text = one.type === 'texts' ? sql`unnest(${one.value})` : one.value;
    return sql`select ${sql.lit(field)} as field, ${text} collate "C" as text`;
  });
  const updatedAt = timeText(sql<Date>`max(updated_at)`);
  return queryOf(
    sql<FieldText>`
      select field, text, ${updatedAt} as "updatedAt"
      from ${from} cross join lateral (${sql.join(texts, sql` union all `)}) as used
      where text is not null ${within === undefined ? sql`` : sql`and ${within.condition.sql(param)}`}
      group by field, text order by field, text limit ${sql.lit(count)}`,
    { isReadOnly: true, isPlannedForValues: true },
  );
}
