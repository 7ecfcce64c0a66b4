import { type Database, fragment } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { agents } from '../agents/definition.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { byIds, changeRecords, type Limited } from '../engine/write/mutations.ts';
import { andIsEventWithin } from '../events/log/visibility.ts';
import { deactivation } from '../records/service.ts';
import { AGENTS_AT_ONCE, nextAgents, type Position } from './next-agents.ts';
import { checkAgentCount } from './transfer.ts';

/**
 * The agents of an office that is deactivated with `cascade`: the active ones are deactivated, and the affiliations of
 * others with it end. The details of each event name the office and its version by the deactivation, which ties them together.
 */

/** The deactivation of an office. */
export interface Cascade {
  officeId: string;
  /** The version of the office by it. */
  version: number;
}

/** The latest deactivation of an office; its present version if the event of that is no longer kept. */
export async function findCascade(trx: Transaction<Database>, officeId: string): Promise<Cascade> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(
      (select max(event.version) from event where subject_id = office.id and type = 'office.deactivated'),
      office.version
    ) as version
    from office where id = ${officeId}`.execute(trx);
  return { officeId, version: rows[0]?.version ?? 0 };
}

/** The cause of the events of agents, whose details name the deactivation of their office. */
export function tiedTo({ officeId, version }: Cascade, cause: ChangeCause): ChangeCause {
  return { ...cause, details: { ...cause.details, cascadeOfficeId: officeId, cascadeVersion: version } };
}

/** The condition that an event is one of a cascade; by the index of the office. */
export function isOfCascade(event: string, { officeId, version }: Cascade) {
  const details = sql.ref(`${event}.details`);
  return sql<boolean>`(
    ${details} ->> 'cascadeOfficeId' = ${officeId} and ${details} ->> 'cascadeVersion' = ${String(version)})`;
}

/** The condition that an event takes back what a cascade did. */
export function isUndoOfCascade(event: string) {
  return sql<boolean>`${sql.ref(`${event}.details`)} ->> 'undoesCascade' is not null`;
}

/** The agents that a deactivation has changed, or the undo of one. */
export interface CascadeCounts {
  agents: number;
  affiliations: number;
}

/** Counts the agents that a deactivation has changed, of those within the limit; with `isUndo` those that were brought back. */
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

/**
 * Deactivates the next agents of an office; if none is left, ends the next affiliations with it. Resolves to where to
 * continue (`agents`: after all agents), or to undefined if nothing is left.
 */
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
  const selection = byIds(rows.map(({ id }) => id));
  const columns = { affiliations: { value: officeId, by: otherAffiliations({}) } };
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
  const next = await nextAgents(trx, officeId, { after, areActive: true });
  if (next === undefined) return undefined;
  await changeRecords(trx, agents, { selection: next.selection, ...deactivation(cause), limit });
  return next.last;
}

/**
 * Deactivates all active agents of an office that is locked and ends all affiliations with it, in the caller's transaction.
 * Throws `too_many_agents`, and the reason of the signal, which ends it between two batches.
 */
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
