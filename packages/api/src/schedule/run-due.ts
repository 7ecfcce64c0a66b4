import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { definitionOf } from '../directory.ts';
import { type OfficeLimit, readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Columns } from '../engine/sql/column-mapping.ts';
import type { RosterError } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { deactivateAllAgents } from '../offices/cascade.ts';
import { lockOffices, moveAgents } from '../offices/transfer.ts';
import { deactivation, reactivation, transfer } from '../records/service.ts';
import {
  claimChange,
  claimDueChange,
  endScheduledChange,
  type LockedRecord,
  lockOfficeUnlessChanging,
  lockRecord,
  postponeScheduledChange,
  type StoredChange,
} from './repository.ts';
import { changePending } from './service.ts';

/** The most changes that are tried before those that ended are reported. */
const CHANGES_MAX = 50;
/** The most attempts of a change that fails for causes that may pass: 17 minutes with the pauses between. */
export const ATTEMPTS_MAX = 10;

/** The pause after an attempt that failed, in milliseconds: 2 s, doubled with each up to 17 minutes. */
const pauseAfter = (attempts: number) => 1_000 * 2 ** Math.min(attempts + 1, ATTEMPTS_MAX);

interface RunOptions {
  /** The clock of the database. */
  now: () => Date;
  /** Called with each error after which a change is tried again. */
  onError: (error: unknown) => void;
  /** Ends the run; a change of many agents that has not ended is rolled back, and pending as before. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the changes whose time has come, each in one transaction with its event and its end in the list, so that it happens
 * once on any number of servers, also if this one dies between any two steps. Those of one record happen in the order of
 * their times. A change whose record or office another transaction has locked is left for the next run, and those behind it
 * are made.
 *
 * @returns how many changes ended; 0 if none is left that can be made now
 */
export async function runDueChanges(
  db: Kysely<Database>,
  { now, onError, signal }: RunOptions,
): Promise<number> {
  let ended = 0;
  let after: StoredChange | undefined;
  for (let tried = 0; ended === 0 || tried < CHANGES_MAX; tried += 1) {
    if (signal?.aborted) break;
    const next = await runNextChange(db, { now: now(), after, onError, signal });
    if (next === undefined) break;
    if (next.isEnded) ended += 1;
    after = next.change;
  }
  return ended;
}

interface StepOptions extends Omit<RunOptions, 'now'> {
  now: Date;
  /** The change after which the next one is due. */
  after: StoredChange | undefined;
}

/** Claims the next change that is due and makes it. Resolves to it, and to whether it ended; to undefined if none is due. */
async function runNextChange(
  db: Kysely<Database>,
  { now, after, onError, signal }: StepOptions,
): Promise<{ change: StoredChange; isEnded: boolean } | undefined> {
  let change: StoredChange | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      change = await claimDueChange(trx, { now, after });
      return change && { change, isEnded: await runChange(trx, change, { now, signal }) };
    });
  } catch (error) {
    if (change === undefined) throw error;
    if (signal?.aborted && error === signal.reason) return { change, isEnded: false };
    return { change, isEnded: await settleFailure(db, change, { error, now, onError }) };
  }
}

/** A claimed change and its record, which is locked. */
interface Claim {
  change: StoredChange;
  record: LockedRecord;
}

/**
 * The office that has to stay active until the change is made: that of a transfer, or of an agent who is reactivated.
 */
function officeOf({ change, officeId }: StoredChange, record: LockedRecord | undefined): string | null {
  return change === 'reactivate' && record !== undefined ? record.officeId : officeId;
}

/**
 * Locks the record and the office of a claimed change. Resolves to the record, to undefined if it is gone, and to `busy` if another
 * transaction has one of these. Neither is waited for: who has locked the record may wait for the change, and transfers between two
 * offices in opposite directions for each other.
 */
async function lockSubject(
  trx: Transaction<Database>,
  change: StoredChange,
): Promise<LockedRecord | undefined | 'busy'> {
  const { resource: name, subjectId: id } = change;
  const resource = definitionOf(name);
  const record = await lockRecord(trx, resource, { id, limit: undefined, skipsLocked: true });
  if (record === undefined) {
    const { rows } = await sql`select from ${sql.table(resource.table)} where id = ${id}`.execute(trx);
    if (rows.length > 0) return 'busy';
  }
  const officeId = officeOf(change, record);
  return officeId === null || (await lockOfficeUnlessChanging(trx, officeId)) ? record : 'busy';
}

/** The cause of the event: the service itself makes the change, and the details say who scheduled it. */
function causeOf({ id, scheduledBy, scheduledAt, reason }: StoredChange, now: Date): ChangeCause {
  const details = { scheduledChangeId: id, scheduledBy, scheduledAt };
  return { now, actorId: null, requestId: null, reason, details };
}

/** Makes a claimed change. Resolves to whether it ended; rejects if a rule forbids it, and then everything is to be rolled back. */
async function runChange(
  trx: Transaction<Database>,
  change: StoredChange,
  { now, signal }: { now: Date; signal: AbortSignal | undefined },
): Promise<boolean> {
  const record = await lockSubject(trx, change);
  if (record === 'busy') return false;
  if (record === undefined) {
    await endScheduledChange(trx, change.id, { status: 'failed', now, ...goneError(change) });
    return true;
  }
  await endScheduledChange(trx, change.id, { status: 'done', now });
  await applyChange(trx, { change, record }, { cause: causeOf(change, now), signal });
  return true;
}

function goneError({ resource, subjectId }: StoredChange) {
  return {
    errorCode: 'not_found',
    error: `No ${definitionOf(resource).table} has the ID ${subjectId}.`,
  };
}

interface RecordChange {
  columns: Columns;
  verb: 'updated' | 'deactivated' | 'reactivated' | 'transferred';
}

/** The effect of a change on its record; one that is already as wanted loses the pending change alone. */
function changeOf({ change, record }: Claim, cause: ChangeCause): RecordChange {
  if (change.change === 'deactivate' && record.status === 'active') return deactivation(cause);
  if (change.change === 'reactivate' && record.status === 'inactive') return reactivation(cause);
  if (change.change === 'transfer' && record.officeId !== change.officeId)
    return transfer(definitionOf(change.resource), change.officeId, cause);
  return { columns: {}, verb: 'updated' };
}

/**
 * The offices whose agents the deactivation of an office may change: those of who scheduled it, and always the office itself. The
 * affiliations of other agents with it stay, as they do when it is deactivated now.
 */
async function readScheduledLimit(
  trx: Transaction<Database>,
  { officeIds, subjectId }: StoredChange,
): Promise<OfficeLimit | undefined> {
  return officeIds === null ? undefined : readLimit(trx, [...officeIds, subjectId]);
}

/** Makes a change. It was allowed when it was scheduled, so the rights of who scheduled it are not checked again. */
async function applyChange(
  trx: Transaction<Database>,
  claim: Claim,
  { cause, signal }: { cause: ChangeCause; signal: AbortSignal | undefined },
): Promise<void> {
  const { resource, subjectId: id, change, officeId, isCascade } = claim.change;
  const changed = { id, cause, ...changeOf(claim, cause) };
  if (change === 'transfer_agents' && officeId !== null) {
    const unlimited = { limit: undefined };
    await lockOffices(trx, { id, toOfficeId: officeId, ...unlimited });
    await moveAgents(trx, { fromOfficeId: id, toOfficeId: officeId, cause, signal, ...unlimited });
  }
  await changePending(trx, definitionOf(resource), changed);
  if (change === 'deactivate' && isCascade) {
    const limit = await readScheduledLimit(trx, claim.change);
    await deactivateAllAgents(trx, { officeId: id, cause, signal, limit });
  }
}

interface Failure {
  error: unknown;
  now: Date;
  onError: (error: unknown) => void;
}

/**
 * Settles a change whose transaction was rolled back. If a rule forbids it, or it failed too often, it has failed for good;
 * if the cause may pass, or the failure cannot be written, it is tried again after a pause. Resolves to whether it ended.
 */
async function settleFailure(
  db: Kysely<Database>,
  change: StoredChange,
  { error: thrown, now, onError }: Failure,
): Promise<boolean> {
  const error = toRosterError(thrown);
  let unsettled = thrown;
  if (error.status < 500 || change.attempts + 1 >= ATTEMPTS_MAX) {
    try {
      return await failChange(db, change, { error, now });
    } catch (failure) {
      unsettled = failure;
    }
  }
  onError(unsettled);
  const dueAt = new Date(now.getTime() + pauseAfter(change.attempts));
  await postponeScheduledChange(db, { id: change.id, dueAt });
  return false;
}

/** Ends a change as failed, with an event `change_failed` of its record. Resolves to whether it ended. */
async function failChange(
  db: Kysely<Database>,
  { id }: StoredChange,
  { error, now }: { error: RosterError; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const change = await claimChange(trx, id);
    if (change === undefined) return false;
    const record = await lockSubject(trx, change);
    if (record === 'busy') return false;
    const reason = { errorCode: error.errorCode, error: error.message };
    await endScheduledChange(trx, id, { status: 'failed', now, ...reason });
    if (record === undefined) return true;
    const cause = causeOf(change, now);
    const details = { ...cause.details, change: change.change, ...reason };
    const failed = { id: change.subjectId, cause: { ...cause, details }, verb: 'change_failed' as const };
    await changePending(trx, definitionOf(change.resource), failed);
    return true;
  });
}
