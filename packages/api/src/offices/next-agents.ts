import { type Database, fragment } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';

/** Agents in one statement: as many records as an import has, for which the statement timeout is long enough. */
export const AGENTS_AT_ONCE = 500;

/** The position behind which the agents of an office go on, in the order of an index. */
export interface Position {
  id: string;
  createdAt: string;
}

const andIsActive = (areActive: boolean) => (areActive ? sql` and status = 'active'` : sql``);

const areStillOf = fragment<{ areActive: boolean }, RawBuilder<boolean>>(
  ({ areActive }, param) =>
    sql`id = any(${param('selected_ids')}::uuid[]) and office_id = ${param('selected_office')}${andIsActive(areActive)}`,
);

/**
 * The next agents of an office that is locked, so that none arrives, as what a change selects; undefined if there are none. One that was
 * moved since, or deactivated if only active ones are asked for, is left as it is. `last` is undefined if none is left behind them.
 */
export async function nextAgents(
  trx: Transaction<Database>,
  officeId: string,
  { after, areActive = false }: { after?: Position | undefined; areActive?: boolean },
) {
  const isBehind =
    after === undefined
      ? sql``
      : sql` and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<Position>`
    select id, created_at::text as "createdAt" from agent
    where office_id = ${officeId}${andIsActive(areActive)}${isBehind}
    order by created_at, id limit ${AGENTS_AT_ONCE}`.execute(trx);
  if (rows.length === 0) return undefined;
  const selection = {
    where: areStillOf({ areActive }),
    values: { selected_ids: rows.map(({ id }) => id), selected_office: officeId },
  };
  return { selection, last: rows.length < AGENTS_AT_ONCE ? undefined : rows.at(-1) };
}
