import { agents } from '../agents/definition.ts';
import type { Agent } from '../agents/schemas.ts';
import type { DirectoryResource } from '../directory.ts';
import {
  causeOf,
  changeOne,
  type OneChange,
  type StatusVerb,
  setStatus,
  transfer,
  type Versioned,
  versionsOf,
} from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { type Effective, zoneOfOffice, zoneOfRecord } from './effective-time.ts';
import { nowOrLater } from './service.ts';

export interface StatusChange extends OneChange, Effective {
  reason?: string | null | undefined;
}

/** Deactivates or reactivates a record, now or at a time. Throws what `setStatus` and `nowOrLater` throw. */
export function changeStatus<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  verb: StatusVerb,
  input: StatusChange,
): Promise<Row> {
  const zone = zoneOfRecord(resource, { id: input.id, limit: ctx.limit });
  return nowOrLater(ctx, resource, { change: verb, input, zone }, () =>
    setStatus(ctx, resource, verb, input),
  );
}

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
  return changeOne(ctx, agents, {
    id: one.id,
    versions: versionsOf(ctx, one),
    ...transfer(agents, officeId, causeOf(ctx, reason)),
    isInPlace: (agent) => agent.officeId === officeId,
  });
}
