import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { agents } from '../agents/definition.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { changeRecords, type Limited } from '../engine/write/mutations.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { inputError, RosterError } from '../errors/roster-error.ts';
import { checkScopes } from '../identity/access/scopes.ts';
import {
  causeOf,
  checkVersion,
  getRecord,
  notFound,
  type OneChange,
  transfer,
  versionsOf,
} from '../records/service.ts';
import { type Effective, nowOrLater, zoneOfOffice } from '../schedule/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { offices } from './definition.ts';
import { nextAgents, type Position } from './next-agents.ts';
import type { AgentsTransferResult } from './schemas.ts';

/** The maximum number of agents that one transaction changes: its locks and its time are those of all of them. */
export const AGENTS_MAX = 100_000;

interface TransferRequest extends OneChange, Effective {
  toOfficeId: string;
  reason?: string | null | undefined;
}

/**
 * Transfers all agents of an office, active and inactive, to another one, in one transaction: readers see all of them in
 * the one or in the other. While it runs, no agent is moved into the office. Each agent has its own event `agent.transferred`.
 * At a time in the future it is scheduled, and no agent has moved yet.
 * Throws `not_found`, `insufficient_scope`, `version_conflict`, `office_inactive`, `reference_not_found`, and
 * `too_many_agents` if the office has more than 100,000; and what `nowOrLater` throws.
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
  const versions = versionsOf(ctx, one);
  const { limit } = ctx;
  return inTransaction(ctx.db, async (trx) => {
    const { version } = await lockOffices(trx, { id, toOfficeId, limit });
    checkVersion({ version }, versions);
    const moved = await moveAgents(trx, { fromOfficeId: id, toOfficeId, cause: causeOf(ctx, reason), limit });
    return { ...(await getRecord({ db: trx, limit }, offices, id)), moved };
  });
}

interface LockedOffice {
  version: number;
  status: string;
}

/**
 * Locks the office whose agents leave, so that none arrives, and the one that takes them, so that it stays active; others
 * may arrive there. In the order of their ids, so that two transfers cannot wait for each other. An office out of the limit is none.
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

interface Move extends Limited {
  fromOfficeId: string;
  toOfficeId: string;
  cause: ChangeCause;
  /** Ends the move between two batches, with its reason as the error. */
  signal?: AbortSignal | undefined;
}

/** Moves the agents of an office that is locked, in the order of an index, and returns their number. */
export async function moveAgents(
  trx: Transaction<Database>,
  { fromOfficeId, toOfficeId, cause, signal, limit }: Move,
): Promise<number> {
  if (fromOfficeId === toOfficeId) return 0;
  await checkAgentCount(trx, { officeId: fromOfficeId, andAffiliated: false });
  const change = { ...transfer(agents, toOfficeId, cause), limit };
  let moved = 0;
  let after: Position | undefined;
  do {
    signal?.throwIfAborted();
    const next = await nextAgents(trx, fromOfficeId, { after });
    if (next === undefined) break;
    moved += (await changeRecords(trx, agents, { selection: next.selection, ...change })).length;
    after = next.last;
  } while (after !== undefined);
  return moved;
}

/**
 * Throws `too_many_agents` if an office has more agents, with `andAffiliated` those who are affiliated with it counted too, than
 * one transaction changes.
 */
export async function checkAgentCount(
  trx: Transaction<Database>,
  { officeId, andAffiliated }: { officeId: string; andAffiliated: boolean },
): Promise<void> {
  const affiliated = sql`union all select agent_id from agent_affiliation where affiliated_office_id = ${officeId}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select id from agent where office_id = ${officeId} ${andAffiliated ? affiliated : sql``} limit ${AGENTS_MAX + 1}
    ) as agents`.execute(trx);
  if ((rows[0]?.count ?? 0) <= AGENTS_MAX) return;
  const which = andAffiliated ? 'agents and affiliated agents' : 'agents';
  const most = AGENTS_MAX.toLocaleString('en');
  throw new RosterError('too_many_agents', `The office has more than ${most} ${which}.`);
}
