import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { agents } from '../../agents/definition.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { andIsEventWithin } from '../../event-log/visibility.ts';
import type { JobError } from '../../jobs/schemas.ts';
import { undoEvents } from '../../jobs/undo.ts';
import type { JobEvent } from '../../jobs/undo-events.ts';
import { offices } from '../../offices/definition.ts';
import { notFound } from '../../records/service.ts';
import type { ChangeCause } from '../../resources/outbox/event-outbox.ts';
import type { Limited } from '../../resources/write/mutations.ts';
import { AGENTS_AT_ONCE, type Cascade, isOfCascade, isUndoOfCascade, tiedTo } from './cascade.ts';

interface Undo extends Limited {
  cascade: Cascade;
  cause: ChangeCause;
  retentionDays: number;
  /** The event behind which to go on. */
  after?: string;
}

/** The outcome for some agents, and the position at which to go on; undefined if none is left. */
export interface Restored {
  rejected: JobError[];
  after: string | undefined;
}

/**
 * Brings up to 500 agents back that a deactivation of their office has changed, as the undo of a job does: each as it was before, unless
 * it was changed since. The office must be locked, so that of two at the same time the second sees what the first has brought back.
 * An agent who was never within the limit is left out; one who has left it since is rejected.
 */
export async function restoreSomeAgents(
  trx: Transaction<Database>,
  { cascade, cause, after = '0', ...undo }: Undo,
): Promise<Restored> {
  const { rows } = await sql<JobEvent & { place: string }>`
    select id::text as place, subject_id as id, split_part(type, '.', 2) as verb, version, record, previous
    from event
    where ${isOfCascade('event', cascade)} and not (${isUndoOfCascade('event')}) and id > ${after}::bigint
      and not exists (
        select from event as undone
        where undone.subject_id = event.subject_id and ${isOfCascade('undone', cascade)} and ${isUndoOfCascade('undone')}
      )${andIsEventWithin(undo.limit)}
    order by event.id limit ${AGENTS_AT_ONCE}`.execute(trx);
  if (rows.length === 0) return { rejected: [], after: undefined };
  const tied = tiedTo(cascade, cause);
  const { rejected } = await undoEvents(trx, agents, {
    ids: rows.map(({ id }) => id),
    events: rows,
    ...undo,
    cause: { ...tied, details: { ...tied.details, undoesCascade: true } },
  });
  return { rejected, after: rows.length < AGENTS_AT_ONCE ? undefined : rows.at(-1)?.place };
}

/** Locks an office until the transaction ends. Throws `version_conflict` if it is not active, and `not_found`. */
export async function demandActive(trx: Transaction<Database>, id: string): Promise<void> {
  const { rows } = await sql<{ status: string; version: number }>`
    select status, version from office where id = ${id} for no key update`.execute(trx);
  const [office] = rows;
  if (office === undefined) throw notFound(offices, id);
  if (office.status === 'active') return;
  const detail =
    'The office was deactivated meanwhile. What was brought back by then was deactivated with it or is left as it is.';
  throw new RosterError('version_conflict', detail, { currentVersion: office.version });
}
