import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { checkScopes } from '../access/scopes.ts';
import { agentFilters, agents } from '../directory/agents/definition.ts';
import { offices } from '../directory/offices/definition.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { changeRecords, type Limited } from '../engine/write/mutations.ts';
import { checkVersion, preconditionOf } from '../engine/write/precondition.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { inputError, RosterError } from '../errors/roster-error.ts';
import { acceptChange, type RecordFilter } from '../jobs/service.ts';
import { causeOf, getRecord, notFound, type OneChange, transfer } from '../records/service.ts';
import { type Effective, nowOrLater, zoneOfOffice } from '../schedule/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { nextAgents, type Position } from './next-agents.ts';
import { AGENTS_OF_TRANSACTION, type AgentsTransferResult } from './schemas.ts';

/** In one request or scheduled change. */
export const AGENTS_MAX = 100_000;

interface TransferRequest extends OneChange, Effective {
  toOfficeId: string;
  reason?: string | null | undefined;
}

/**
 * Moves all agents of an office, active and inactive, each with an event `agent.transferred`: up to 1,000 in
 * one transaction, in which no agent can move into the office; more in a job, which has the agents of the
 * moment it was accepted. A future time schedules the transfer. Throws `not_found`, `insufficient_scope`,
 * `version_conflict`, `office_inactive`, `reference_not_found`, `too_many_agents` for more than 100,000,
 * `limit_reached` for too many jobs, and the errors of `nowOrLater`.
 */
export async function transferAgents(
  ctx: CallContext,
  { toOfficeId, ...input }: TransferRequest,
): Promise<AgentsTransferResult> {
  checkScopes(ctx.caller, ['agents:write']);
  const zone = zoneOfOffice(toOfficeId, ctx.limit);
  const timed = { change: 'transfer_agents' as const, input, officeId: toOfficeId, zone };
  const now = () => transferNow(ctx, { toOfficeId, ...input });
  return { moved: 0, ...(await nowOrLater(ctx, offices, timed, now)) };
}

async function transferNow(
  ctx: CallContext,
  { id, toOfficeId, reason, ...one }: TransferRequest,
): Promise<AgentsTransferResult> {
  const precondition = preconditionOf(ctx, one);
  const { limit } = ctx;
  return inTransaction(ctx.db, async (trx) => {
    const { version } = await lockOffices(trx, { id, toOfficeId, limit });
    checkVersion({ version }, precondition);
    const move = { fromOfficeId: id, toOfficeId };
    const office = await getRecord({ db: trx, limit }, offices, id);
    if (await needsJob(trx, move)) {
      const job = await acceptChange(trx, ctx, agents, { ...agentsMove(move), reason });
      return { ...office, moved: 0, job };
    }
    return { ...office, moved: await moveAgents(trx, { ...move, cause: causeOf(ctx, reason), limit }) };
  });
}

interface LockedOffice {
  version: number;
  status: string;
}

/**
 * Locks the old office, so that no agent arrives, and the new one, so that it stays active; agents may still
 * arrive there. In ID order against deadlocks. An office out of the limit counts as missing.
 */
export async function lockOffices(
  trx: Transaction<Database>,
  { id, toOfficeId, limit }: Limited & { id: string; toOfficeId: string },
): Promise<LockedOffice> {
  const locked = new Map<string, LockedOffice>();
  for (const one of [...new Set([id, toOfficeId])].sort()) {
    const { rows } = await sql<LockedOffice>`
      select version, status from office
      where id = ${one}${andIsWithin('id', limit)} ${one === id ? sql`for no key update` : sql`for share`}`.execute(
      trx,
    );
    if (rows[0] !== undefined) locked.set(one, rows[0]);
  }
  const [from, to] = [locked.get(id), locked.get(toOfficeId)];
  if (from === undefined) throw notFound(offices, id);
  const pointer = '#/toOfficeId';
  if (to === undefined)
    throw inputError('reference_not_found', {
      pointer,
      code: 'not_found',
      detail: 'is not an existing record',
    });
  if (to.status === 'inactive' && toOfficeId !== id)
    throw inputError('office_inactive', { pointer, code: 'inactive', detail: 'is an inactive office' });
  return from;
}

interface Offices {
  fromOfficeId: string;
  toOfficeId: string;
}

/** The office must be locked. Throws `too_many_agents`. */
export async function needsJob(
  trx: Transaction<Database>,
  { fromOfficeId, toOfficeId }: Offices,
): Promise<boolean> {
  if (fromOfficeId === toOfficeId) return false;
  const count = await checkAgentCount(trx, { officeId: fromOfficeId, andAffiliated: false });
  return count > AGENTS_OF_TRANSACTION;
}

type OfAgents = Pick<RecordFilter, 'all'> & { officeId: string[]; affiliation: 'primary' };

/** As a bulk change has it. */
export function agentsMove({ fromOfficeId, toOfficeId }: Offices) {
  const filter: OfAgents = { officeId: [fromOfficeId], affiliation: 'primary' };
  return {
    filter,
    selects: agentFilters(filter),
    change: { type: 'transfer' as const, officeId: toOfficeId },
  };
}

interface Move extends Limited, Offices {
  cause: ChangeCause;
}

/** The office must be locked. Returns the number of agents. */
export async function moveAgents(
  trx: Transaction<Database>,
  { fromOfficeId, toOfficeId, cause, limit }: Move,
): Promise<number> {
  if (fromOfficeId === toOfficeId) return 0;
  const change = { ...transfer(agents, toOfficeId, cause), limit };
  let moved = 0;
  let after: Position | undefined;
  do {
    const next = await nextAgents(trx, fromOfficeId, { after });
    if (next === undefined) break;
    moved += (await changeRecords(trx, agents, { selection: next.selection, ...change })).length;
    after = next.last;
  } while (after !== undefined);
  return moved;
}

/** Returns their number. Throws `too_many_agents`; `andAffiliated` counts affiliated agents too. */
export async function checkAgentCount(
  trx: Transaction<Database>,
  { officeId, andAffiliated }: { officeId: string; andAffiliated: boolean },
): Promise<number> {
  const affiliated = sql`union all select agent_id from agent_affiliation where affiliated_office_id = ${officeId}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select id from agent where office_id = ${officeId} ${andAffiliated ? affiliated : sql``} limit ${AGENTS_MAX + 1}
    ) as agents`.execute(trx);
  const { count } = rows[0] ?? { count: 0 };
  if (count <= AGENTS_MAX) return count;
  const which = andAffiliated ? 'agents and affiliated agents' : 'agents';
  const most = AGENTS_MAX.toLocaleString('en');
  throw new RosterError('too_many_agents', `The office has more than ${most} ${which}.`);
}
