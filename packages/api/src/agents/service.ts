import { agents } from '../directory/agents/definition.ts';
import type { Agent } from '../directory/agents/schemas.ts';
import { preconditionOf } from '../engine/write/precondition.ts';
import { causeOf, changeOne, transfer } from '../records/service.ts';
import { nowOrLater, type StatusChange, zoneOfOffice } from '../schedule/service.ts';
import type { CallContext } from '../trpc/context.ts';

interface Transfer extends StatusChange {
  officeId: string;
}

/**
 * Transfers an agent now or later: sets `officeId` and `transferredAt` (RESO MemberTransferDate) and writes
 * an event `agent.transferred` with both offices. Returns an agent already there unchanged. Days begin in the
 * new office's time zone. Throws `not_found`, `version_conflict`, `office_inactive`, `reference_not_found`,
 * and the errors of `nowOrLater`.
 */
export function transferAgent(ctx: CallContext, { officeId, ...input }: Transfer): Promise<Agent> {
  const timed = { change: 'transfer' as const, input, officeId, zone: zoneOfOffice(officeId, ctx.limit) };
  return nowOrLater(ctx, agents, timed, () => transferNow(ctx, { officeId, ...input }));
}

async function transferNow(ctx: CallContext, { officeId, reason, ...one }: Transfer): Promise<Agent> {
  return changeOne(ctx, agents, {
    id: one.id,
    precondition: preconditionOf(ctx, one),
    ...transfer(agents, officeId, causeOf(ctx, reason)),
    isInPlace: (agent) => agent.officeId === officeId,
  });
}
