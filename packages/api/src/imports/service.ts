import { v7 as uuidv7 } from 'uuid';
import { toConstraintError } from '../errors/constraint-errors.ts';
import { pointerTo, summarize } from '../errors/describe-issue.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import { RosterError } from '../errors/roster-error.ts';
import { causeOf } from '../resources/service.ts';
import {
  type BatchRow,
  insertRecords,
  mergeablesOf,
  mergeRecords,
  type Written,
} from '../resources/write/bulk-mutations.ts';
import { valuesOf } from '../resources/write/column-mapping.ts';
import type { Cause } from '../resources/write/event-outbox.ts';
import type { CallContext } from '../trpc/context.ts';
import { type Draft, draftsOf, type Fault } from './candidates.ts';
import { checkDrafts } from './checks.ts';
import type { ImportedNoun } from './resources.ts';
import { attempted } from './retry.ts';
import type { ImportAnswer, ImportMode, ImportResult } from './schemas.ts';

/** What is asked for; the records are validated one by one. */
interface Import {
  records: readonly unknown[];
  mode: ImportMode;
  isAtomic: boolean;
  dryRun: boolean;
}

type Trx = Parameters<typeof checkDrafts>[0];

/** The faults of records that are named, and how many are not. */
interface Named {
  faults: Fault[];
  omitted: number;
}

/** The one reason of several faults, or that the body breaks rules. */
function refusalOfFaults({ faults, omitted }: Named, prefix = ''): RosterError {
  const [first, ...others] = new Set(faults.map(({ reason }) => reason));
  const errors = faults.map(({ reason: _, ...error }) => error);
  const reason = first === undefined || others.length > 0 ? 'validation_failed' : first;
  return new RosterError(reason, `${prefix}${summarize(errors, omitted)}`, {
    errors,
    errorsOmitted: omitted,
  });
}

/** The faults that are named of each refused record: one of each at least, as many as fit in all, the first ones first. */
function namedOf(drafts: Draft[]): Map<Draft, Named> {
  const refused = drafts.filter(({ faults }) => faults.length > 0);
  let room = ERRORS_PER_REQUEST_MAX - refused.length;
  return new Map(
    refused.map((draft) => {
      const count = 1 + Math.max(0, Math.min(draft.faults.length, ERRORS_PER_RECORD_MAX, room + 1) - 1);
      room -= count - 1;
      const faults = draft.faults.slice(0, count);
      return [draft, { faults, omitted: draft.faults.length - count + draft.faultsOmitted }];
    }),
  );
}

function resultOf(draft: Draft, { dryRun, changed, named }: Outcome): ImportResult {
  const { index, id = null, match } = draft;
  const refused = named.get(draft);
  if (refused !== undefined) {
    const { errorCode: code, message: detail, errors = [], errorsOmitted } = refusalOfFaults(refused);
    const error = { code, detail, errors, ...(errorsOmitted > 0 && { errorsOmitted }) };
    return { index, status: 'refused', id: null, version: null, error };
  }
  if (match === undefined) return { index, status: 'created', id: dryRun ? null : id, version: 1 };
  const version = changed.get(match.id);
  if (version === undefined) return { index, status: 'unchanged', id, version: match.version };
  return { index, status: 'updated', id, version };
}

/** The refusal of all records, with what is named of each. */
function refusalOfAll(drafts: Draft[]): RosterError {
  const named = [...namedOf(drafts).values()];
  const all: Named = {
    faults: named.flatMap(({ faults }) => faults),
    omitted: named.reduce((sum, { omitted }) => sum + omitted, 0),
  };
  return refusalOfFaults(all, `${named.length} of ${drafts.length} records refused, nothing written: `);
}

interface Outcome {
  dryRun: boolean;
  /** The versions of the records that were changed, by id. */
  changed: Map<string, number>;
  /** What is named of those that were refused. */
  named: Map<Draft, Named>;
}

function answerOf(drafts: Draft[], outcome: Outcome): ImportAnswer {
  const results = drafts.map((draft) => resultOf(draft, outcome));
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const { status } of results) counts[status] += 1;
  return { results, ...counts };
}

/** Writes the records without fault: first the new ones, which others may refer to. Answers those that changed. */
async function write(
  trx: Trx,
  drafts: Draft[],
  { noun, cause, dryRun }: { noun: ImportedNoun; cause: Cause; dryRun: boolean },
): Promise<Written[]> {
  const { collection, columns, empty } = noun;
  const good = drafts.filter(({ faults }) => faults.length === 0);
  const rowOf = ({ id = '', match, fields }: Draft): BatchRow => ({
    id,
    columns: valuesOf(collection.fields, match === undefined ? { ...empty, ...fields } : fields),
  });
  const created = good.filter(({ match }) => match === undefined).map(rowOf);
  const merged = good.filter(({ match }) => match !== undefined).map(rowOf);
  if (created.length > 0 && !dryRun) await insertRecords(trx, collection, { rows: created, columns, cause });
  if (merged.length === 0) return [];
  const batch = { rows: merged, columns };
  return dryRun ? mergeablesOf(trx, collection, batch) : mergeRecords(trx, collection, { ...batch, cause });
}

/** Ids in the order of the records, so that lists by time of creation have it too. */
function idsAt(now: Date): (draft: Draft) => string {
  const SEQUENCES = 2 ** 30;
  const start = Math.floor(Math.random() * SEQUENCES);
  return ({ index }) => uuidv7({ msecs: now.getTime(), seq: start + index });
}

/** A violation that others caused again and again, or that no check foresees. */
function refusalOfViolation(error: unknown, records: readonly unknown[]): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const refusal = toConstraintError({ ...error, code: String(error.code) });
  if (refusal === undefined) return error;
  const place = records.length === 1 ? ['records', 0] : ['records'];
  const errors = refusal.errors?.map((one) => ({
    ...one,
    pointer: records.length === 1 ? `${pointerTo(place)}${one.pointer?.slice(1)}` : pointerTo(place),
  }));
  return new RosterError(refusal.errorCode, `Of the records: ${refusal.message}`, {
    ...(errors && { errors }),
    cause: error,
  });
}

/**
 * Creates and changes many records in a number of statements that does not depend on how many they are.
 * - atomic: one bad record refuses all, with all that is wrong with any of them, and nothing is written;
 * - not atomic: those without fault are written, and every record has its result;
 * - a dry run answers the same and writes nothing.
 * Throws `validation_failed`, `reference_not_found`, `source_taken`, `email_taken`, `office_inactive`, `office_cycle`;
 * where records are refused for several reasons, `validation_failed`.
 */
export async function importRecords(
  ctx: CallContext,
  noun: ImportedNoun,
  { records, mode, isAtomic, dryRun }: Import,
): Promise<ImportAnswer> {
  const cause = causeOf(ctx);
  const attempt = attempted(ctx.db, async (trx) => {
    const drafts = draftsOf(records, noun, { mode });
    await checkDrafts(trx, drafts, noun, { mode, isAtomic, newId: idsAt(cause.now) });
    if (isAtomic && drafts.some(({ faults }) => faults.length > 0)) throw refusalOfAll(drafts);
    const written = await write(trx, drafts, { noun, cause, dryRun });
    const changed = new Map(written.map(({ id, version }) => [id, version]));
    return answerOf(drafts, { dryRun, changed, named: namedOf(drafts) });
  });
  return attempt.catch((error: unknown) => {
    throw refusalOfViolation(error, records);
  });
}
