import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { agents } from '../directory/agents/definition.ts';
import { offices } from '../directory/offices/definition.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { byId, changeRecords, type Limited } from '../engine/write/mutations.ts';
import { RosterError } from '../errors/roster-error.ts';
import { findChanges, undoEach } from '../history/undo/service.ts';
import type { EventDetails } from '../log/event-details.ts';
import { andIsEventWithin } from '../log/visibility.ts';
import type { Outcome } from '../records/change-each.ts';
import { notFound, reactivation } from '../records/service.ts';
import { type TriedChange, tryChange } from '../records/try-change.ts';
import { type Cascade, isOfCascade, isUndoOfCascade, tiedTo } from './cascade.ts';
import { AGENTS_AT_ONCE } from './next-agents.ts';

interface Undo extends Limited {
  cascade: Cascade;
  cause: ChangeCause;
  retentionDays: number;
}

export interface Restored extends Outcome {
  after: string | undefined;
}

function isLeft({ cascade, limit }: Limited & Pick<Undo, 'cascade'>, after = '0') {
  return sql`
    ${isOfCascade('event', cascade)} and not (${isUndoOfCascade('event')}) and id > ${after}::bigint
      and not exists (
        select from event as undone
        where undone.subject_id = event.subject_id and ${isOfCascade('undone', cascade)} and ${isUndoOfCascade('undone')}
      )${andIsEventWithin(limit)}`;
}

/**
 * Brings back up to 500 agents that a deactivation of their office changed: each value still as the
 * deactivation left it. The office must be locked, so that concurrent calls see each other's results. Agents
 * never within the limit are left out; those that left it are rejected.
 *
 * @param after the event to continue after
 */
export async function restoreSomeAgents(
  trx: Transaction<Database>,
  { cascade, cause, ...undo }: Undo,
  after?: string,
): Promise<Restored> {
  const changes = await findChanges(trx, isLeft({ cascade, limit: undo.limit }, after), AGENTS_AT_ONCE);
  const tied = tiedTo(cascade, cause);
  const undone: EventDetails = { undoesCascade: true };
  const outcome = await undoEach(trx, agents, {
    ids: changes.map(({ id }) => id).toReversed(),
    changes,
    // An agent in another office by now does not return with this one.
    statusTies: [agents.parent.field],
    ...undo,
    cause: { ...tied, details: { ...tied.details, ...undone } },
  });
  return { ...outcome, after: changes.length < AGENTS_AT_ONCE ? undefined : changes[0]?.place };
}

/** Tries the first 500 agents. Throws `not_found`. */
export async function previewRestoring(trx: Transaction<Database>, undo: Undo): Promise<TriedChange> {
  const {
    cascade: { officeId: id },
    cause,
    limit,
  } = undo;
  const { rows } = await sql<{ id: string }>`
    select subject_id as id from event where ${isLeft(undo)} order by event.id`.execute(trx);
  const ids = rows.slice(0, AGENTS_AT_ONCE).map((row) => row.id);
  const change = async () => {
    const office = { selection: byId(id), ...reactivation(cause), limit };
    if ((await changeRecords(trx, offices, office)).length === 0) throw notFound(offices, id);
    return restoreSomeAgents(trx, undo);
  };
  return tryChange(trx, agents, { ids, count: rows.length, limit, change });
}

/** Throws `not_found`, and `version_conflict` if the office is not active. */
export async function demandActive(trx: Transaction<Database>, id: string): Promise<void> {
  const office = await trx
    .selectFrom('office')
    .where('id', '=', id)
    .select(['status', 'version'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (office === undefined) throw notFound(offices, id);
  if (office.status === 'active') return;
  const detail =
    'The office was deactivated again in the meantime. Agents restored before then were deactivated with it or stay active.';
  throw new RosterError('version_conflict', detail, { currentVersion: office.version });
}
