import { queryOf } from '@roster/db';
import { sql } from 'kysely';
import { limitFor } from '../../access/caller.ts';
import { timeText } from '../../engine/json/record-json.ts';
import type { Param } from '../../engine/sql/column-mapping.ts';
import { limitFilter } from '../../engine/sql/limited-rows.ts';
import { type QueryContext, runQuery } from '../../trpc/query-call.ts';
import type { RecordQuery } from './condition.ts';
import { queried } from './fields.ts';

export interface FieldText {
  field: string;
  text: string;
  updatedAt: string;
}

export interface FieldTextQuery {
  resource: RecordQuery['resource'];
  fields: readonly string[];
  limit: number;
}

/** Reads every record within the limit. Throws `insufficient_scope`, `timeout`. */
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
