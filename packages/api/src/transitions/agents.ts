import { agents } from '../agents/definition.ts';
import type { Agent } from '../agents/schemas.ts';
import { causeOf, settled, versionsOf } from '../records/service.ts';
import { byId, changeRecords } from '../resources/write/mutations.ts';
import { zoneOfOffice } from '../scheduled-changes/effective-time.ts';
import { nowOrLater } from '../scheduled-changes/service.ts';
import type { CallContext } from '../trpc/context.ts';
import type { StatusChange } from './status.ts';

interface Transfer extends StatusChange {
  officeId: string;
}

/**
 * Transfers an agent to another office, now or at a time: sets `officeId` and `transferredAt` (RESO MemberTransferDate) and
 * writes one event `agent.transferred`, whose details name both offices. An agent of that office is answered as it is. A
 * day begins in the time zone of the new office.
 * Throws `not_found`, `version_conflict`, `office_inactive`, `reference_not_found`, and what `nowOrLater` throws.
 */
export function transferAgent(ctx: CallContext, { officeId, ...input }: Transfer): Promise<Agent> {
  const timed = { change: 'transfer' as const, input, officeId, zone: zoneOfOffice(officeId, ctx.limit) };
  return nowOrLater(ctx, agents, timed, () => transferNow(ctx, { officeId, ...input }));
}

async function transferNow(ctx: CallContext, { officeId, reason, ...one }: Transfer): Promise<Agent> {
  const { id } = one;
  const versions = versionsOf(ctx, one);
  const changed = await changeRecords(ctx.db, agents, {
    selection: byId(id),
    columns: { office_id: { value: officeId } },
    versions,
    verb: 'transferred',
    cause: causeOf(ctx, reason),
    limit: ctx.limit,
  });
  return settled(changed, {
    resource: agents,
    id,
    versions,
    isInPlace: (agent) => agent.officeId === officeId,
  });
}
