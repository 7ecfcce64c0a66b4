import type { DirectoryResource } from '../directory.ts';
import { deactivateRecord, type OneChange, reactivateRecord, type Versioned } from '../records/service.ts';
import { type Effective, zoneOfRecord } from '../scheduled-changes/effective-time.ts';
import { nowOrLater } from '../scheduled-changes/service.ts';
import type { CallContext } from '../trpc/context.ts';

export interface StatusChange extends OneChange, Effective {
  reason?: string | null | undefined;
}

/** Deactivates a record, now or at a time. Throws what `deactivateRecord` and `nowOrLater` throw. */
export function deactivate<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  input: StatusChange,
): Promise<Row> {
  const zone = zoneOfRecord(resource, { id: input.id, limit: ctx.limit });
  const timed = { change: 'deactivate' as const, input, zone };
  return nowOrLater(ctx, resource, timed, () => deactivateRecord(ctx, resource, input));
}

/** Reactivates a record, now or at a time. Throws what `reactivateRecord` and `nowOrLater` throw. */
export function reactivate<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  input: StatusChange,
): Promise<Row> {
  const zone = zoneOfRecord(resource, { id: input.id, limit: ctx.limit });
  const timed = { change: 'reactivate' as const, input, zone };
  return nowOrLater(ctx, resource, timed, () => reactivateRecord(ctx, resource, input));
}
