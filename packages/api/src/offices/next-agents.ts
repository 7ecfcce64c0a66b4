import { type Database, fragment } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';

export const AGENTS_AT_ONCE = 500;

export interface Position {
  id: string;
  createdAt: string;
}

const areStillOf = fragment<{ areActive: boolean }, RawBuilder<boolean>>(
  ({ areActive }, param) =>
    sql`id = any(${param('selected_ids')}::uuid[]) and office_id = ${param('selected_office')}${areActive ? sql` and status = 'active'` : sql``}`,
);

/** Skips agents that changed since. `last` is undefined if none follow. */
export async function nextAgents(
  trx: Transaction<Database>,
  officeId: string,
  { after, areActive = false }: { after?: Position | undefined; areActive?: boolean },
) {
  let wanted = trx.selectFrom('agent').where('office_id', '=', officeId);
  if (areActive) wanted = wanted.where('status', '=', 'active');
  if (after !== undefined) {
    const { createdAt, id } = after;
    wanted = wanted.where(sql<boolean>`(created_at, id) > (${createdAt}::timestamptz, ${id}::uuid)`);
  }
  const rows = await wanted
    .select(['id', sql<string>`created_at::text`.as('createdAt')])
    .orderBy('created_at')
    .orderBy('id')
    .limit(AGENTS_AT_ONCE)
    .execute();
  if (rows.length === 0) return undefined;
  const selection = {
    where: areStillOf({ areActive }),
    values: { selected_ids: rows.map(({ id }) => id), selected_office: officeId },
  };
  return { selection, last: rows.length < AGENTS_AT_ONCE ? undefined : rows.at(-1) };
}
