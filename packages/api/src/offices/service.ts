import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { checkScopes } from '../access/scopes.ts';
import { offices } from '../directory/offices/definition.ts';
import type { Office } from '../directory/offices/schemas.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { RecordContext } from '../records/procedure.ts';
import { causeOf, setStatus } from '../records/service.ts';
import type { TriedChange } from '../records/try-change.ts';
import { nowOrLater, type StatusChange, zoneOfOffice } from '../schedule/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { countCascade, findCascade, releaseSomeAgents, tiedTo } from './cascade.ts';
import { demandActive, previewRestoring, restoreSomeAgents } from './cascade-undo.ts';
import { CASCADE_ERRORS_MAX, type OfficeDeactivated, type OfficeReactivated } from './schemas.ts';

interface CascadingChange extends StatusChange {
  cascade?: boolean | undefined;
}

/** Per call, in milliseconds: less than the timeouts of clients and proxies. */
const CALL_MAX_MS = 20_000;

/** Throws `insufficient_scope`, and the errors of `deactivateNow` and `nowOrLater`. */
export async function deactivateOffice(ctx: CallContext, input: CascadingChange): Promise<OfficeDeactivated> {
  const { id, cascade: isCascade } = input;
  if (isCascade) checkScopes(ctx.caller, ['agents:write']);
  const timed = { change: 'deactivate' as const, input, zone: zoneOfOffice(id, ctx.limit), isCascade };
  return nowOrLater(ctx, offices, timed, () => deactivateNow(ctx, input));
}

/** Throws `insufficient_scope`, and the errors of `reactivateNow` and `nowOrLater`. */
export async function reactivateOffice(
  ctx: RecordContext,
  input: CascadingChange,
): Promise<OfficeReactivated> {
  const { cascade, ...change } = input;
  if (cascade) checkScopes(ctx.caller, ['agents:write']);
  const timed = { change: 'reactivate' as const, input: change, zone: zoneOfOffice(input.id, ctx.limit) };
  return nowOrLater(ctx, offices, timed, () => reactivateNow(ctx, input));
}

/**
 * Deactivates an office; with `cascade` also its active agents, and ends affiliations of others. The office
 * and the first 500 agents change in one transaction, others 500 at a time in more, within statement timeouts
 * and short locks. An interrupted call can be repeated to continue, because an inactive office takes no
 * agents. Throws `not_found`, `version_conflict` (also if reactivated meanwhile), and `unavailable` if there
 * are too many agents for one call.
 */
async function deactivateNow(
  ctx: CallContext,
  { cascade = false, ...office }: CascadingChange,
): Promise<OfficeDeactivated> {
  if (!cascade) return setStatus(ctx, offices, 'deactivate', office);
  const { limit } = ctx;
  const cause = causeOf(ctx, office.reason);
  const first = await ctx.db.transaction().execute(async (trx) => {
    const deactivated = await setStatus(
      { ...ctx, db: trx, now: () => cause.now },
      offices,
      'deactivate',
      office,
    );
    const some = { officeId: office.id, limit };
    const by = await findCascade(trx, office.id);
    return { deactivated, by, after: await releaseSomeAgents(trx, { ...some, cause: tiedTo(by, cause) }) };
  });
  const { deactivated, by } = first;
  await goOn(ctx, cause, first.after, async (trx, after) => {
    await demandInactive(trx, deactivated);
    return releaseSomeAgents(trx, { officeId: office.id, cause: tiedTo(by, cause), limit, after });
  });
  const cascaded = await countCascade(ctx.db, { cascade: by, isUndo: false, limit });
  return { ...deactivated, cascaded };
}

/** In transactions of their own. Throws `unavailable` when the time of the call is over. */
async function goOn<Place>(
  { db, request, now }: CallContext,
  { now: begun }: ChangeCause,
  start: Place | undefined,
  next: (trx: Transaction<Database>, after: Place) => Promise<Place | undefined>,
): Promise<void> {
  for (let after = start; after !== undefined; ) {
    const from = after;
    request.committed('events');
    if (now().getTime() - begun.getTime() > CALL_MAX_MS) {
      const detail =
        'The office was changed, but some of its agents were not yet. Send the request again to continue.';
      throw new RosterError('unavailable', detail, { retryAfter: 1 });
    }
    after = await db.transaction().execute((trx) => next(trx, from));
  }
}

/**
 * Reactivates an office; with `cascade` brings back the agents and affiliations of its latest deactivation,
 * unless changed since. Transactions as in `deactivateNow`. An interrupted call can be repeated to continue;
 * concurrent ones share the agents. Throws `not_found`, `version_conflict` (also if deactivated meanwhile),
 * and `unavailable` as `deactivateNow`.
 */
async function reactivateNow(
  ctx: RecordContext,
  { cascade = false, ...office }: CascadingChange,
): Promise<OfficeReactivated> {
  if (!cascade) return setStatus(ctx, offices, 'reactivate', office);
  const { limit } = ctx;
  const cause = causeOf(ctx, office.reason);
  const { retentionDays } = ctx.settings;
  const first = await ctx.db.transaction().execute(async (trx) => {
    const reactivated = await setStatus(
      { ...ctx, db: trx, now: () => cause.now },
      offices,
      'reactivate',
      office,
    );
    const undone = { cascade: await findCascade(trx, office.id), cause, limit, retentionDays };
    return { reactivated, undone, restored: await restoreSomeAgents(trx, undone) };
  });
  const { reactivated, undone } = first;
  const rejected = [...first.restored.rejected];
  await goOn(ctx, cause, first.restored.after, async (trx, after) => {
    await demandActive(trx, office.id);
    const next = await restoreSomeAgents(trx, undone, after);
    rejected.push(...next.rejected);
    return next.after;
  });
  const counts = await countCascade(ctx.db, { cascade: undone.cascade, isUndo: true, limit });
  const errors = rejected.slice(0, CASCADE_ERRORS_MAX);
  return { ...reactivated, cascaded: { ...counts, rejected: rejected.length, errors } };
}

/** Tries the first 500 agents. Throws `not_found`, `insufficient_scope`. */
export async function previewReactivation(ctx: RecordContext, { id }: { id: string }): Promise<TriedChange> {
  checkScopes(ctx.caller, ['agents:write']);
  const {
    limit,
    settings: { retentionDays },
  } = ctx;
  return inTransaction(ctx.db, async (trx) =>
    previewRestoring(trx, { cascade: await findCascade(trx, id), cause: causeOf(ctx), limit, retentionDays }),
  );
}

/** Locks an inactive office until the transaction ends. Throws `version_conflict` if it was reactivated. */
async function demandInactive(trx: Transaction<Database>, { id, deactivatedAt }: Office): Promise<void> {
  const { rows } = await sql<{ isSame: boolean; version: number }>`
    select status = 'inactive' and deactivated_at = ${deactivatedAt}::timestamptz as "isSame", version
    from office where id = ${id} for share`.execute(trx);
  const [{ isSame, version } = { isSame: false, version: undefined }] = rows;
  if (isSame) return;
  const detail =
    'The office was reactivated in the meantime. Agents that were inactive by then stay inactive.';
  throw new RosterError('version_conflict', detail, version === undefined ? {} : { currentVersion: version });
}
