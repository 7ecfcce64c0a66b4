import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { andIsWithin } from '../access/office-limit.ts';
import { checkScopes } from '../access/scopes.ts';
import { agents } from '../agents/definition.ts';
import { RosterError } from '../errors/roster-error.ts';
import {
  causeOf,
  deactivateRecord,
  deactivation,
  type OneChange,
  reactivateRecord,
} from '../resources/service.ts';
import type { Param } from '../resources/write/column-mapping.ts';
import type { ChangeCause } from '../resources/write/event-outbox.ts';
import { changeRecords, type Limited } from '../resources/write/mutations.ts';
import { type Effective, zoneOfOffice } from '../scheduled-changes/effective-time.ts';
import { nowOrLater } from '../scheduled-changes/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { offices } from './definition.ts';
import type { Office } from './schemas.ts';
import { checkAgentCount } from './transfer.ts';

interface StatusChange extends OneChange, Effective {
  reason?: string | null | undefined;
}
interface Deactivation extends StatusChange {
  cascade?: boolean | undefined;
}

/** Agents in one transaction: as many records as an import has, for which the statement timeout is long enough. */
export const AGENTS_AT_ONCE = 500;
/** How long one call goes on, in milliseconds: less than clients and proxies wait for an answer. */
export const CALL_MAX_MS = 20_000;

/**
 * Deactivates an office, now or at a time, and with `cascade` its active agents. At a time all of them are deactivated in one
 * transaction. Throws `insufficient_scope`, and what `deactivateNow` and `nowOrLater` throw.
 */
export async function deactivateOffice(ctx: CallContext, input: Deactivation): Promise<Office> {
  const { id, cascade: isCascade } = input;
  if (isCascade) checkScopes(ctx.caller, ['agents:write']);
  const timed = { change: 'deactivate' as const, input, zone: zoneOfOffice(id, ctx.limit), isCascade };
  return nowOrLater(ctx, offices, timed, () => deactivateNow(ctx, input));
}

/** Reactivates an office, now or at a time. Throws what `reactivateRecord` and `nowOrLater` throw. */
export function reactivateOffice(ctx: CallContext, input: StatusChange): Promise<Office> {
  const timed = { change: 'reactivate' as const, input, zone: zoneOfOffice(input.id, ctx.limit) };
  return nowOrLater(ctx, offices, timed, () => reactivateRecord(ctx, offices, input));
}

/**
 * Deactivates an office and, with `cascade`, its active agents with it, and ends the affiliations of other agents with it. The
 * office and its first 500 agents are changed in one transaction; of more, 500 at a time in further ones, so that no statement
 * runs into its timeout and no transaction waits long for a lock. What was done stays done when a call ends early: repeated,
 * it goes on where that ended, because an inactive office takes no agents.
 * Throws `not_found`, `version_conflict` (also if the office was reactivated meanwhile), `unavailable` if the agents
 * are more than one call deactivates in its time.
 */
async function deactivateNow(
  ctx: CallContext,
  { cascade = false, ...office }: Deactivation,
): Promise<Office> {
  if (!cascade) return deactivateRecord(ctx, offices, office);
  const { limit } = ctx;
  const cause = causeOf(ctx, office.reason);
  const first = await ctx.db.transaction().execute(async (trx) => {
    const services = { ...ctx.services, now: () => cause.now };
    const deactivated = await deactivateRecord({ ...ctx, db: trx, services }, offices, office);
    return { deactivated, after: await releaseSomeAgents(trx, { officeId: office.id, cause, limit }) };
  });
  const { deactivated } = first;
  for (let { after } = first; after !== undefined; ) {
    ctx.services.notifier.onCommit();
    if (ctx.services.now().getTime() - cause.now.getTime() > CALL_MAX_MS) throw notAllYet();
    const from = after;
    after = await ctx.db.transaction().execute(async (trx) => {
      await demandInactive(trx, deactivated);
      return releaseSomeAgents(trx, { officeId: office.id, cause, limit, after: from });
    });
  }
  return deactivated;
}

function notAllYet(): RosterError {
  const detail =
    'The office is inactive, and some of its agents are not yet. Repeat the request to go on with them.';
  return new RosterError('unavailable', detail, { retryAfter: 1 });
}

/** Keeps an office from being reactivated until the transaction ends. Throws `version_conflict` where it was already. */
async function demandInactive(trx: Transaction<Database>, { id, deactivatedAt }: Office): Promise<void> {
  const { rows } = await sql<{ isSame: boolean; version: number }>`
    select status = 'inactive' and deactivated_at = ${deactivatedAt}::timestamptz as "isSame", version
    from office where id = ${id} for share`.execute(trx);
  const [{ isSame, version } = { isSame: false, version: undefined }] = rows;
  if (isSame) return;
  const detail =
    'The office was reactivated meanwhile. Those of its agents that were inactive by then are left inactive.';
  throw new RosterError('version_conflict', detail, version === undefined ? {} : { currentVersion: version });
}

/** Where the agents of an office go on: behind this one, in the order of an index. */
interface Position {
  id: string;
  createdAt: string;
}

interface Some extends Limited {
  officeId: string;
  cause: ChangeCause;
  after?: Position | 'agents';
}

/**
 * Deactivates the next agents of an office; if none is left, ends the next affiliations with it. Resolves to where to
 * continue (`agents`: after all agents), or to undefined if nothing is left.
 */
async function releaseSomeAgents(trx: Transaction<Database>, some: Some): Promise<Some['after']> {
  const { after, ...office } = some;
  if (after !== 'agents') {
    const next = await deactivateSomeAgents(trx, { ...office, ...(after && { after }) });
    if (next !== undefined) return next;
  }
  return (await endSomeAffiliations(trx, office)) ? 'agents' : undefined;
}

/**
 * Removes an office, which was locked before, from the affiliations of up to 500 agents within the limit: those of agents
 * elsewhere stay. Resolves to whether others may be left. An affiliation that another change removes in between is gone too.
 */
async function endSomeAffiliations(
  trx: Transaction<Database>,
  { officeId, cause, limit }: Omit<Some, 'after'>,
): Promise<boolean> {
  const isVisible = andIsWithin('agent.office_id', limit);
  const ofVisible =
    limit === undefined ? sql`` : sql`and exists (select from agent where agent.id = agent_id${isVisible})`;
  const { rows } = await sql<{ id: string }>`
    select agent_id as id from agent_affiliation where affiliated_office_id = ${officeId} ${ofVisible}
    order by agent_id limit ${AGENTS_AT_ONCE}`.execute(trx);
  if (rows.length === 0) return false;
  const selection = {
    name: 'affiliated with an office',
    where: (param: Param) => sql<boolean>`id = any(${param('selected_ids')}::uuid[])`,
    values: { selected_ids: rows.map(({ id }) => id) },
  };
  const remaining = (param: Param) => sql`(
    select coalesce(jsonb_agg(item order by place), '[]')
    from jsonb_array_elements(target.affiliations) with ordinality as held (item, place)
    where item ->> 'officeId' <> ${param('affiliations')}::text)`;
  const columns = { affiliations: { value: officeId, by: remaining } };
  await changeRecords(trx, agents, { selection, columns, verb: 'updated', cause, limit });
  return rows.length === AGENTS_AT_ONCE;
}

/**
 * Deactivates the next active agents of an office, which was locked before, so that none can arrive. Answers where to go
 * on; undefined where none is left.
 */
async function deactivateSomeAgents(
  trx: Transaction<Database>,
  { officeId, cause, limit, after }: Omit<Some, 'after'> & { after?: Position },
): Promise<Position | undefined> {
  const onward =
    after === undefined
      ? sql``
      : sql`and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<Position>`
    select id, created_at::text as "createdAt" from agent
    where office_id = ${officeId} and status = 'active' ${onward}
    order by created_at, id limit ${AGENTS_AT_ONCE}`.execute(trx);
  if (rows.length === 0) return undefined;
  // One that was moved or deactivated since it was read is left as it is.
  const selection = {
    name: 'some of an office',
    where: (param: Param) =>
      sql<boolean>`id = any(${param('selected_ids')}::uuid[]) and office_id = ${param('selected_office')} and status = 'active'`,
    values: { selected_ids: rows.map(({ id }) => id), selected_office: officeId },
  };
  await changeRecords(trx, agents, { selection, ...deactivation(cause), limit });
  return rows.length < AGENTS_AT_ONCE ? undefined : rows.at(-1);
}

/**
 * Deactivates all active agents of an office that is locked and ends all affiliations with it, in the caller's transaction.
 * Throws `too_many_agents`, and the reason of the signal, which ends it between two batches.
 */
export async function deactivateAllAgents(
  trx: Transaction<Database>,
  { signal, ...some }: Omit<Some, 'after'> & { signal?: AbortSignal | undefined },
): Promise<void> {
  await checkAgentCount(trx, { officeId: some.officeId, andAffiliated: true });
  let after = await releaseSomeAgents(trx, some);
  while (after !== undefined) {
    signal?.throwIfAborted();
    after = await releaseSomeAgents(trx, { ...some, after });
  }
}
