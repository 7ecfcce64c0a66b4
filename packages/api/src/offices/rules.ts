import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { agents } from '../agents/queries.ts';
import type { Context } from '../context.ts';
import { changeRecords } from '../records/changes.ts';
import { deactivateRecord, inactive } from '../records/rules.ts';
import { offices } from './queries.ts';
import type { Office } from './schemas.ts';

interface Deactivation {
  id: string;
  ifVersion?: number | undefined;
  reason?: string | null | undefined;
  cascade?: boolean | undefined;
}

/** Deactivates an office and, with `cascade`, its active agents with it: all or nothing. Throws `not_found`. */
export async function deactivateOffice(
  ctx: Context,
  { cascade = false, ...office }: Deactivation,
): Promise<Office> {
  if (!cascade) return deactivateRecord(ctx, offices, office);
  const now = ctx.now();
  return ctx.db.transaction().execute(async (trx) => {
    const deactivated = await deactivateRecord({ ...ctx, db: trx, now: () => now }, offices, office);
    await deactivateAgentsOf(trx, office, now);
    return deactivated;
  });
}

/** The office is locked by its own deactivation, so no agent can arrive between that and this. */
async function deactivateAgentsOf(
  trx: Transaction<Database>,
  { id, reason }: Deactivation,
  now: Date,
): Promise<void> {
  const where = sql<boolean>`office_id = ${id} and status = 'active'`;
  await changeRecords(trx, agents, { where, ...inactive(now, reason), now });
}
