import { type Database, startPolling } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { agents } from '../directory/agents/definition.ts';
import { definitionOf } from '../directory/registry.ts';
import { type OfficeLimit, readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Columns } from '../engine/sql/column-mapping.ts';
import { findTelephones, withReadTelephones } from '../engine/write/telephones.ts';
import type { RosterError } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { insertChange } from '../jobs/service.ts';
import type { EventDetails } from '../log/event-details.ts';
import { deactivateAllAgents } from '../offices/cascade.ts';
import { agentsMove, lockOffices, moveAgents, needsJob } from '../offices/transfer.ts';
import { deactivation, reactivation, transfer, writtenColumns } from '../records/service.ts';
import {
  claimChange,
  claimDueChange,
  endScheduledChange,
  type LockedRecord,
  lockOfficeUnlessChanging,
  lockRecord,
  postponeScheduledChange,
  type StoredChange,
} from '../schedule/repository.ts';
import { changePending } from '../schedule/service.ts';

/** Changes per run, after which the ended ones are reported. */
const CHANGES_MAX = 50;
/** For temporary failures: 17 minutes with the pauses. */
export const ATTEMPTS_MAX = 10;

/** 2 s, doubled with each attempt. */
const pauseAfter = (attempts: number) => 1_000 * 2 ** Math.min(attempts + 1, ATTEMPTS_MAX);

interface RunOptions {
  /** The clock of the database. */
  now: () => Date;
  onError: (error: unknown) => void;
  /** Ends the run. An unfinished change of many agents is rolled back and stays pending. */
  signal?: AbortSignal | undefined;
  /** For telephones in an update. */
  defaultCountry?: string | undefined;
}

/**
 * Makes due changes, each with its event and its end in one transaction, and so exactly once on any number of
 * servers, even if this one dies. The changes of a record happen in order. If its record or office is locked,
 * a change waits for the next run and does not delay others.
 *
 * @returns the number of ended changes; 0 if none can be made now
 */
export async function runDueChanges(db: Kysely<Database>, { now, ...options }: RunOptions): Promise<number> {
  let ended = 0;
  let after: StoredChange | undefined;
  for (let tried = 0; ended === 0 || tried < CHANGES_MAX; tried += 1) {
    if (options.signal?.aborted) break;
    const next = await runNextChange(db, { now: now(), after, ...options });
    if (next === undefined) break;
    if (next.isEnded) ended += 1;
    after = next.change;
  }
  return ended;
}

interface StepOptions extends Omit<RunOptions, 'now'> {
  now: Date;
  after: StoredChange | undefined;
}

async function runNextChange(
  db: Kysely<Database>,
  { now, after, onError, signal, defaultCountry }: StepOptions,
): Promise<{ change: StoredChange; isEnded: boolean } | undefined> {
  let change: StoredChange | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      change = await claimDueChange(trx, { now, after });
      return change && { change, isEnded: await runChange(trx, change, { now, signal, defaultCountry }) };
    });
  } catch (error) {
    if (change === undefined) throw error;
    if (signal?.aborted && error === signal.reason) return { change, isEnded: false };
    return { change, isEnded: await settleFailure(db, change, { error, now, onError }) };
  }
}

interface Claim {
  change: StoredChange;
  record: LockedRecord;
}

/** The office that must stay active until the change is made: of a transfer, or of a reactivated agent. */
function officeOf({ change, officeId }: StoredChange, record: LockedRecord | undefined): string | null {
  return change === 'reactivate' && record !== undefined ? record.officeId : officeId;
}

/**
 * Locks the record and the office of a claimed change without waiting. Resolves to undefined if the record is
 * gone, and to `busy` if either is locked. Waiting could deadlock: who has locked the record may wait for the
 * change, and opposite transfers for each other.
 */
async function lockSubject(
  trx: Transaction<Database>,
  change: StoredChange,
): Promise<LockedRecord | undefined | 'busy'> {
  const { resource: name, subjectId: id } = change;
  const resource = definitionOf(name);
  const record = await lockRecord(trx, resource, { id, limit: undefined, skipsLocked: true });
  if (record === undefined) {
    const existing = trx.selectFrom(resource.table).where('id', '=', id).select('id');
    if ((await existing.executeTakeFirst()) !== undefined) return 'busy';
  }
  const officeId = officeOf(change, record);
  return officeId === null || (await lockOfficeUnlessChanging(trx, officeId)) ? record : 'busy';
}

/** The service makes the change; the details say who scheduled it. */
function causeOf({ id, scheduledBy, scheduledAt, reason }: StoredChange, now: Date): ChangeCause {
  const details: EventDetails = { scheduledChangeId: id, scheduledBy, scheduledAt };
  return { now, actorId: null, requestId: null, reason, details };
}

/** Resolves to whether the change ended. Rejects if a rule forbids it: then roll back. */
async function runChange(
  trx: Transaction<Database>,
  change: StoredChange,
  { now, ...options }: { now: Date } & Applying,
): Promise<boolean> {
  const record = await lockSubject(trx, change);
  if (record === 'busy') return false;
  if (record === undefined) {
    await endScheduledChange(trx, change.id, { status: 'failed', now, ...goneError(change) });
    return true;
  }
  await endScheduledChange(trx, change.id, { status: 'done', now });
  await applyChange(trx, { change, record }, { cause: causeOf(change, now), ...options });
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

/** A record that is already as requested only loses the pending change. */
function changeOf({ change, record }: Claim, cause: ChangeCause): RecordChange {
  if (change.change === 'deactivate' && record.status === 'active') return deactivation(cause);
  if (change.change === 'reactivate' && record.status === 'inactive') return reactivation(cause);
  if (change.change === 'transfer' && record.officeId !== change.officeId)
    return transfer(definitionOf(change.resource), change.officeId, cause);
  return { columns: {}, verb: 'updated' };
}

/** Always includes the office itself. Affiliations of other agents stay, as they would now. */
async function readScheduledLimit(
  trx: Transaction<Database>,
  { officeIds, subjectId }: StoredChange,
): Promise<OfficeLimit | undefined> {
  return officeIds === null ? undefined : readLimit(trx, [...officeIds, subjectId]);
}

/** Returns the ID of the job if there are too many agents for one transaction. */
async function transferAgents(
  trx: Transaction<Database>,
  { subjectId: id, officeId, officeIds, scheduledBy, reason }: StoredChange & { officeId: string },
  cause: ChangeCause,
): Promise<string | undefined> {
  const limit = undefined;
  await lockOffices(trx, { id, toOfficeId: officeId, limit });
  const move = { fromOfficeId: id, toOfficeId: officeId };
  if (!(await needsJob(trx, move))) {
    await moveAgents(trx, { ...move, cause, limit });
    return undefined;
  }
  return insertChange(trx, agents, {
    ...agentsMove(move),
    cause: { ...cause, actorId: scheduledBy },
    reason,
    limit,
    // Its batches are limited too, and both offices are within.
    officeIds: officeIds && [...officeIds, id, officeId],
  });
}

interface Applying {
  signal: AbortSignal | undefined;
  defaultCountry: string | undefined;
}

/** The columns of an update, with telephones read by the record as it is now. Throws `validation_failed`. */
async function updateOf(
  trx: Transaction<Database>,
  { resource: name, subjectId: id, patch, officeIds }: StoredChange,
  defaultCountry: string | undefined,
): Promise<Columns | undefined> {
  if (patch === null) return undefined;
  const resource = definitionOf(name);
  const limit = officeIds === null ? undefined : await readLimit(trx, officeIds);
  const record = (await findTelephones(trx, resource, [id])).get(id);
  const given = { input: patch, ...(record && { record }) };
  const read = await withReadTelephones(trx, resource, given, { defaultCountry, limit });
  return writtenColumns(resource, read, { isPatch: true });
}

/** Rights were checked when it was scheduled, and are not checked again. */
async function applyChange(
  trx: Transaction<Database>,
  claim: Claim,
  { cause, signal, defaultCountry }: { cause: ChangeCause } & Applying,
): Promise<void> {
  const { resource, subjectId: id, change, officeId, isCascade } = claim.change;
  const jobId =
    change === 'transfer_agents' && officeId !== null
      ? await transferAgents(trx, { ...claim.change, officeId }, cause)
      : undefined;
  const ownCause = jobId === undefined ? cause : { ...cause, details: { ...cause.details, bulkId: jobId } };
  const columns = await updateOf(trx, claim.change, defaultCountry);
  const changed = { id, cause: ownCause, ...changeOf(claim, cause), ...(columns && { columns }) };
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

/** Retries a temporary failure, up to a limit. Resolves to whether the change ended. */
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
    const details: EventDetails = { ...cause.details, change: change.change, ...reason };
    const failed = { id: change.subjectId, cause: { ...cause, details }, verb: 'change_failed' as const };
    await changePending(trx, definitionOf(change.resource), failed);
    return true;
  });
}

/** Changes can be this late. */
const POLL_INTERVAL_MS = 1_000;

interface ScheduledChangeWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  onCommit: () => void;
  onFailure: (error: unknown) => void;
  defaultCountry: string | undefined;
}

interface ScheduledChangeWorker {
  /** Resolves when the running change has ended; one of many agents is rolled back. */
  close(): Promise<void>;
}

/** Each change is made once, by another server if one dies. Overdue changes are made at once. */
export function startScheduledChangeWorker(options: ScheduledChangeWorkerOptions): ScheduledChangeWorker {
  const { db, now, onCommit, onFailure, defaultCountry } = options;
  const stopping = new AbortController();
  const run = async () => {
    const ended = await runDueChanges(db, {
      now,
      onError: onFailure,
      signal: stopping.signal,
      defaultCountry,
    });
    if (ended === 0) return undefined;
    onCommit();
    return 'more';
  };
  const { stop } = startPolling(run, { intervalMs: POLL_INTERVAL_MS, onError: onFailure });
  const close = () => {
    stopping.abort();
    return stop();
  };
  return { close };
}
