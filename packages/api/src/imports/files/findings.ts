import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { type Import, type ImportFindings, MANY, type Suspicion, suspicions } from './schemas.ts';

/** Counts the rows of an import by what the check says of them. */
async function countFindings(trx: Transaction<Database>, id: string): Promise<ImportFindings> {
  const { rows } = await sql<ImportFindings>`
    select
      (
        select coalesce(json_object_agg(field, count order by field), '{}') from (
          select field, count(*)::int as count from import_row cross join unnest(cleared) as field
          where import_id = ${id} and outcome <> 'rejected' group by field
        ) as counted
      ) as "clearedFields",
      count(*) filter (where outcome <> 'rejected' and 'clears' = any(suspicious))::int as clears,
      count(*) filter (where outcome = 'created')::int as created,
      count(*) filter (where outcome = 'updated')::int as updated,
      count(*) filter (where outcome = 'unchanged')::int as unchanged,
      count(*) filter (where outcome = 'rejected')::int as rejected,
      count(*) filter (where outcome <> 'rejected' and 'renames' = any(suspicious))::int as renames,
      count(*) filter (where outcome <> 'rejected' and 'damaged' = any(suspicious))::int as damaged,
      count(*) filter (where outcome <> 'rejected' and 'moves' = any(suspicious))::int as moves,
      count(*) filter (where outcome <> 'rejected' and 'deactivations' = any(suspicious))::int as deactivations,
      count(*) filter (where outcome = 'created' and source is null and record_id is null)::int as "createdWithoutKey",
      count(*) filter (
        where outcome = 'created' and source is null and record_id is null and record ->> 'email' is null and item_rows is null
      )::int as "createdWithoutEmail",
      count(*) filter (
        where outcome in ('updated', 'unchanged') and matched_by in ('email', 'emailAndName', 'name')
      )::int as "matchedByEmail",
      count(*) filter (where outcome = 'created' and json_array_length(look_alikes) > 0)::int as "lookAlikes",
      (select coalesce(json_agg(json_build_object('country', country, 'rows', rows) order by rows desc, country), '[]') from (
        select phone_country as country, count(*)::int as rows from import_row
        where import_id = ${id} and phone_country is not null group by phone_country
      ) as counted) as "phoneCountries"
    from import_row where import_id = ${id}`.execute(trx);
  return rows[0] as ImportFindings;
}

/** The suspicions that one row is enough for. */
const ofOneRow: ReadonlySet<Suspicion> = new Set(['renames', 'clears', 'damaged']);

/** The suspicions with enough rows. */
function suspicionsIn(findings: ImportFindings): Suspicion[] {
  const { created, updated, unchanged, rejected } = findings;
  const many = Math.max(MANY.count, MANY.share * (created + updated + unchanged + rejected));
  return suspicions.filter((name) => findings[name] >= (ofOneRow.has(name) ? 1 : many));
}

/** Stores what the check of an import says, and returns it with what must be confirmed or skipped before it is written (`open`). */
export async function storeFindings(
  trx: Transaction<Database>,
  id: string,
): Promise<{ findings: ImportFindings; open: Import['unconfirmed'] }> {
  const findings = await countFindings(trx, id);
  const open = [...(findings.rejected > 0 ? (['rejected'] as const) : []), ...suspicionsIn(findings)];
  await trx
    .updateTable('import')
    .set({ findings: JSON.stringify(findings), unconfirmed: open })
    .where('id', '=', id)
    .execute();
  return { findings, open };
}

/** Leaves out the rows that are suspicious in one of some ways, or look like an existing record. */
export async function skipRows(
  trx: Transaction<Database>,
  { id, skipped }: { id: string; skipped: readonly string[] },
): Promise<void> {
  if (skipped.every((name) => name === 'rejected')) return;
  const isAlike = sql`outcome = 'created' and json_array_length(look_alikes) > 0`;
  const areAlikeSkipped = sql.lit(skipped.includes('lookAlikes'));
  await sql`
    update import_row set outcome = 'skipped'
    where import_id = ${id} and outcome <> 'rejected'
      and (suspicious && ${skipped}::text[] or (${areAlikeSkipped} and ${isAlike}))`.execute(trx);
}
