import { type Database, fragment } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { agents } from '../directory/agents/definition.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { byIds, changeRecords, type Limited } from '../engine/write/mutations.ts';
import type { EventDetails } from '../log/event-details.ts';
import { andIsEventWithin } from '../log/visibility.ts';
import { deactivation } from '../records/service.ts';
import { AGENTS_AT_ONCE, nextAgents, type Position } from './next-agents.ts';
import { checkAgentCount } from './transfer.ts';

/** The events of a cascade are tied together by the office and its version in their details. */

export interface Cascade {
  officeId: string;
  version: number;
}

/** The present version if the event is no longer kept. */
export async function findCascade(trx: Transaction<Database>, officeId: string): Promise<Cascade> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(
      (select max(event.version) from event where subject_id = office.id and type = 'office.deactivated'),
      office.version
    ) as version
    from office where id = ${officeId}`.execute(trx);
  return { officeId, version: rows[0]?.version ?? 0 };
}

export function tiedTo({ officeId, version }: Cascade, cause: ChangeCause): ChangeCause {
  const details = { cascadeOfficeId: officeId, cascadeVersion: version } satisfies EventDetails;
  return { ...cause, details: { ...cause.details, ...details } };
}

/** By the index of the office. */
export function isOfCascade(event: string, { officeId, version }: Cascade) {
  const details = sql.ref(`${event}.details`);
  return sql<boolean>`(
    ${details} ->> 'cascadeOfficeId' = ${officeId} and ${details} ->> 'cascadeVersion' = ${String(version)})`;
}

export function isUndoOfCascade(event: string) {
  return sql<boolean>`${sql.ref(`${event}.details`)} ->> 'undoesCascade' is not null`;
}

export interface CascadeCounts {
  agents: number;
  affiliations: number;
}

export async function countCascade(
  db: Kysely<Database>,
  { cascade, isUndo, limit }: Limited & { cascade: Cascade; isUndo: boolean },
): Promise<CascadeCounts> {
  const { rows } = await sql<CascadeCounts>`
    select count(*) filter (where type <> 'agent.updated')::int as agents,
      count(*) filter (where type = 'agent.updated')::int as affiliations
    from event
    where ${isOfCascade('event', cascade)} and (${isUndoOfCascade('event')}) = ${isUndo}${andIsEventWithin(limit)}`.execute(
    db,
  );
  return rows[0] ?? { agents: 0, affiliations: 0 };
}

export interface Some extends Limited {
  officeId: string;
  cause: ChangeCause;
  after?: Position | 'agents';
}

/** First the agents, then affiliations. Resolves to where to continue, or undefined at the end. */
export async function releaseSomeAgents(trx: Transaction<Database>, some: Some): Promise<Some['after']> {
  const { after, ...office } = some;
  if (after !== 'agents') {
    const next = await deactivateSomeAgents(trx, { ...office, ...(after && { after }) });
    if (next !== undefined) return next;
  }
  return (await endSomeAffiliations(trx, office)) ? 'agents' : undefined;
}

const otherAffiliations = fragment(
  (_, param) => sql`(
    select coalesce(jsonb_agg(item order by place), '[]')
    from jsonb_array_elements(target.affiliations) with ordinality as held (item, place)
    where item ->> 'officeId' <> ${param('affiliations')}::text)`,
);

/** Resolves to whether there may be more. Concurrently removed ones count as removed. */
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
  const selection = byIds(rows.map(({ id }) => id));
  const columns = { affiliations: { value: officeId, by: otherAffiliations({}) } };
  await changeRecords(trx, agents, { selection, columns, verb: 'updated', cause, limit });
  return rows.length === AGENTS_AT_ONCE;
}

/** The office must be locked, so that no agents arrive. Returns where to continue; undefined at the end. */
async function deactivateSomeAgents(
  trx: Transaction<Database>,
  { officeId, cause, limit, after }: Omit<Some, 'after'> & { after?: Position },
): Promise<Position | undefined> {
  const next = await nextAgents(trx, officeId, { after, areActive: true });
  if (next === undefined) return undefined;
  await changeRecords(trx, agents, { selection: next.selection, ...deactivation(cause), limit });
  return next.last;
}

/** The office must be locked. Throws `too_many_agents`, and the signal's reason between batches. */
export async function deactivateAllAgents(
  trx: Transaction<Database>,
  { signal, cause, ...office }: Omit<Some, 'after'> & { signal?: AbortSignal | undefined },
): Promise<void> {
  const { officeId } = office;
  await checkAgentCount(trx, { officeId, andAffiliated: true });
  const some = { ...office, cause: tiedTo(await findCascade(trx, officeId), cause) };
  let after = await releaseSomeAgents(trx, some);
  while (after !== undefined) {
    signal?.throwIfAborted();
    after = await releaseSomeAgents(trx, { ...some, after });
  }
}
