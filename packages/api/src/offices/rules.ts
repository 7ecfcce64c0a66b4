import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { agents } from '../agents/queries.ts';
import type { CallContext } from '../context.ts';
import type { Cause } from '../events/log.ts';
import { changeRecords } from '../records/changes.ts';
import { causeOf, deactivateRecord, deactivation } from '../records/rules.ts';
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
  ctx: CallContext,
  { cascade = false, ...office }: Deactivation,
): Promise<Office> {
  if (!cascade) return deactivateRecord(ctx, offices, office);
  const cause = causeOf(ctx, office.reason);
  return ctx.db.transaction().execute(async (trx) => {
    const deactivated = await deactivateRecord({ ...ctx, db: trx, now: () => cause.now }, offices, office);
    await deactivateAgentsOf(trx, office.id, cause);
    return deactivated;
  });
}

/** The office is locked by its own deactivation, so no agent can arrive between that and this. */
async function deactivateAgentsOf(trx: Transaction<Database>, officeId: string, cause: Cause): Promise<void> {
  const where = (id: RawBuilder<unknown>) => sql<boolean>`office_id = ${id} and status = 'active'`;
  await changeRecords(trx, agents, { of: { name: 'office', where, id: officeId }, ...deactivation(cause) });
}
