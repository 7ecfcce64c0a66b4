import { setTimeout } from 'node:timers/promises';
import { codeOf, type Database, SQLSTATE } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { newId } from '../engine/new-id.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { valuesOf } from '../engine/sql/column-mapping.ts';
import {
  type BatchRow,
  insertRecords,
  type MergedRecord,
  mergeRecords,
} from '../engine/write/bulk-mutations.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { inTransaction, rolledBack, withIndexes, withSavepoint } from '../engine/write/transaction.ts';
import { toConstraintError } from '../errors/constraint-errors.ts';
import { pointerTo, summarize } from '../errors/describe-issue.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { RecordContext } from '../records/procedure.ts';
import { causeOf, countrySources } from '../records/service.ts';
import type { ImportDefinition } from './definitions.ts';
import { type Judging, judgeRows } from './judge-rows.ts';
import { type JudgedRow, type RecordIssue, type RowAsRead, type RowFacts, readRows } from './rows.ts';
import {
  type ImportMode,
  type ImportResponse,
  type ImportResult,
  type WarningKind,
  warningKinds,
} from './schemas.ts';

type Act<Result> = (trx: Transaction<Database>) => Promise<Result>;

/** Violations of constraints, and deadlocks: what another transaction can cause that commits at the wrong moment. */
const raceErrors = new Set<string | undefined>([
  SQLSTATE.foreignKeyViolation,
  SQLSTATE.uniqueViolation,
  SQLSTATE.checkViolation,
  SQLSTATE.deadlockDetected,
]);

function isRaceError(error: unknown): boolean {
  return raceErrors.has(codeOf(error));
}

/** All or nothing, in a transaction of its own or as a part of the caller's. */
async function attemptIn<Result>(db: Kysely<Database>, act: Act<Result>): Promise<Result> {
  if (!db.isTransaction) return db.transaction().execute(act);
  const trx = db as Transaction<Database>;
  return withSavepoint(trx, () => act(trx));
}

/** Several others may come in between, one after another; something that no check foresees fails every time. */
const ATTEMPTS_MAX = 4;
/** The pause after a deadlock, so that the others in the circle get their locks before it asks for them again. */
const DEADLOCK_PAUSE_MS = 100;

/**
 * All or nothing; if a constraint rejects what was checked before, another transaction committed in between, and it is
 * tried again from the start. Throws what the last attempt meets.
 */
async function withRetries<Result>(db: Kysely<Database>, act: Act<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptIn(db, act);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isRaceError(error)) throw error;
      if (codeOf(error) === SQLSTATE.deadlockDetected) await setTimeout(DEADLOCK_PAUSE_MS * attempt);
    }
  }
}

/** The request of an import; its records are validated one by one. */
export interface Import {
  records: readonly unknown[];
  mode: ImportMode;
  isAtomic: boolean;
  acceptWarnings: readonly WarningKind[];
  phoneCountry?: string | undefined;
  dryRun: boolean;
}

type Trx = Transaction<Database>;

/** Issues to report, and the number of further ones. */
interface ReportedIssues {
  issues: RecordIssue[];
  omitted: number;
}

/** The error code that all issues share, else `validation_failed`. */
function importError({ issues, omitted }: ReportedIssues, prefix = ''): RosterError {
  const [first, ...others] = new Set(issues.map(({ errorCode }) => errorCode));
  const errors = issues.map(({ errorCode: _, absent: __, ...error }) => error);
  const errorCode = first === undefined || others.length > 0 ? 'validation_failed' : first;
  return new RosterError(errorCode, `${prefix}${summarize(errors, omitted)}`, {
    errors,
    errorsOmitted: omitted,
  });
}

/** Chooses the issues to report of each rejected record: at least one, and more while there is room in the response. */
function reportedIssues(rows: readonly JudgedRow[]): Map<JudgedRow, ReportedIssues> {
  const rejected = rows.filter(({ issues }) => issues.length > 0);
  let room = ERRORS_PER_REQUEST_MAX - rejected.length;
  return new Map(
    rejected.map((row) => {
      const count = 1 + Math.max(0, Math.min(row.issues.length, ERRORS_PER_RECORD_MAX, room + 1) - 1);
      room -= count - 1;
      const issues = row.issues.slice(0, count);
      return [row, { issues, omitted: row.issues.length - count + row.issuesOmitted }];
    }),
  );
}

export interface Outcome extends Pick<ImportResult, 'status' | 'id' | 'version'> {
  judged: JudgedRow;
  /** The key that led to the existing record; null if there is none. */
  matchedBy: JudgedRow['ledBy'] | null;
}

function outcomeOf(row: JudgedRow, changed: ReadonlyMap<string, number>): Outcome {
  const { id, match, ledBy, issues, isSuperseded } = row;
  const by = { judged: row, matchedBy: match && ledBy };
  if (issues.length > 0) return { ...by, status: 'error', id: null, version: null };
  if (match === null) return { ...by, status: 'created', id, version: 1 };
  const version = isSuperseded ? undefined : changed.get(match.id);
  if (version === undefined) return { ...by, status: 'unchanged', id, version: match.version };
  return { ...by, status: 'updated', id, version };
}

function errorOfAll(rows: readonly JudgedRow[]): RosterError {
  const named = [...reportedIssues(rows).values()];
  const all: ReportedIssues = {
    issues: named.flatMap(({ issues }) => issues),
    omitted: named.reduce((sum, { omitted }) => sum + omitted, 0),
  };
  return importError(all, `${named.length} of ${rows.length} records have errors, so nothing was written: `);
}

/**
 * Writes the records without issues, and returns those that changed. New offices come first, because others may refer to them; other new
 * records come last, because they may take an email address that an existing one gives up.
 */
async function write(
  trx: Trx,
  rows: readonly JudgedRow[],
  {
    definition,
    cause,
    isTried,
    limit,
  }: Limited & { definition: ImportDefinition; cause: ChangeCause; isTried: boolean },
): Promise<MergedRecord[]> {
  const { resource, columns, empty } = definition;
  const good = rows.filter(({ issues, isSuperseded }) => issues.length === 0 && !isSuperseded);
  const rowOf = ({ id, match, fields, facts: { addsItems } }: JudgedRow): BatchRow => ({
    id,
    ...(addsItems && { addsItems }),
    columns: valuesOf(resource.fields, match === null ? { ...empty, ...fields } : fields),
  });
  const created = good.filter(({ match }) => match === null).map(rowOf);
  const merged = good.filter(({ match }) => match !== null).map(rowOf);
  const insert = async () => {
    if (created.length > 0 && !isTried) await insertRecords(trx, resource, { rows: created, columns, cause });
  };
  const merge = async () =>
    merged.length === 0 ? [] : mergeRecords(trx, resource, { rows: merged, columns, limit, cause });
  if (definition.isTree) await insert();
  const changed = await merge();
  if (!definition.isTree) await insert();
  return changed;
}

/** Makes IDs in the order of the records, so that a list by time of creation has the same order. */
function idsAt(now: Date): (row: RowAsRead) => string {
  const SEQUENCES = 2 ** 30;
  const start = Math.floor(Math.random() * SEQUENCES);
  return ({ index }) => newId(now, start + index);
}

/** Turns a violation that remained after all retries, or that no check foresees, into an error of the records. */
function toRecordError(error: unknown, records: readonly unknown[]): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const violation = toConstraintError({ ...error, code: String(error.code) });
  if (violation === undefined) return error;
  const place = records.length === 1 ? ['records', 0] : ['records'];
  const errors = violation.errors?.map((one) => ({
    ...one,
    pointer: records.length === 1 ? `${pointerTo(place)}${one.pointer?.slice(1)}` : pointerTo(place),
  }));
  return new RosterError(violation.errorCode, `Of the records: ${violation.message}`, {
    ...(errors && { errors }),
    cause: error,
  });
}

/** Records, validated one by one, in a transaction. */
interface RecordsToWrite extends Omit<Judging, 'newId'> {
  records: readonly unknown[];
  /** The facts of each, if they are rows of a file. */
  rows?: readonly RowFacts[];
  cause: ChangeCause;
  /** Whether the caller rolls it back. Then new records are checked, but not inserted, which saves most of the time. */
  isTried: boolean;
}

async function judgeRecords(
  trx: Trx,
  definition: ImportDefinition,
  { records, rows = [], cause, ...judging }: Omit<RecordsToWrite, 'isTried'>,
): Promise<JudgedRow[]> {
  await withIndexes(trx);
  const read = readRows(records, definition, { mode: judging.mode, rows });
  return judgeRows(trx, read, definition, { ...judging, newId: idsAt(cause.now) });
}

/** Creates and changes records, and omits rejected ones. If `isAtomic`, one rejected record throws an error with the issues of all. */
function writeRecords(
  db: Kysely<Database>,
  definition: ImportDefinition,
  { isTried, ...options }: RecordsToWrite,
) {
  const { records, cause, isAtomic, limit } = options;
  const attempt = withRetries(db, async (trx) => {
    const rows = await judgeRecords(trx, definition, options);
    if (isAtomic && rows.some(({ issues }) => issues.length > 0)) throw errorOfAll(rows);
    const written = await write(trx, rows, { definition, cause, isTried, limit });
    const changed = new Map(written.map(({ id, version }) => [id, version]));
    return rows.map((row) => outcomeOf(row, changed));
  });
  return attempt.catch((error: unknown) => {
    throw toRecordError(error, records);
  });
}

type RecordBatch = Omit<RecordsToWrite, 'mode' | 'isAtomic'>;

/** Creates and changes the records of a batch, each by its source, its ID or its email address, and omits rejected ones. */
export async function importBatch(
  trx: Trx,
  definition: ImportDefinition,
  batch: RecordBatch,
): Promise<Outcome[]> {
  return writeRecords(trx, definition, { mode: 'match', isAtomic: false, ...batch });
}

/** Finds the country by which the phone numbers of each record would be read, as in `JudgedRow`. Writes nothing. */
export async function findPhoneCountries(
  ctx: RecordContext,
  definition: ImportDefinition,
  rows: Pick<RecordBatch, 'records' | 'rows'>,
): Promise<(string | null | undefined)[]> {
  const rules = { mode: 'match', isAtomic: false, acceptWarnings: warningKinds } as const;
  const options = { ...rows, ...rules, ...countrySources(ctx), cause: causeOf(ctx) };
  const judged = await withRetries(ctx.db, (trx) => judgeRecords(trx, definition, options));
  return judged.map(({ phoneCountry }) => phoneCountry);
}

/**
 * Creates and changes many records in a number of statements that does not depend on how many they are.
 * - atomic: one invalid record rejects all, with the issues of every record, and nothing is written;
 * - not atomic: the valid records are written, and every record has its result;
 * - a dry run returns the same without writing anything.
 * Records outside the office limit are not found, but their sources and email addresses are taken.
 * Throws `validation_failed`, `reference_not_found`, `source_taken`, `email_taken`, `office_inactive`, `office_cycle`, and
 * `insufficient_scope` for a record that would be out of the limit;
 * if records are rejected with several error codes, `validation_failed`.
 */
export async function importRecords(
  ctx: RecordContext,
  definition: ImportDefinition,
  { phoneCountry, dryRun, ...request }: Import,
): Promise<ImportResponse> {
  const options = { ...request, cause: causeOf(ctx), ...countrySources(ctx), named: phoneCountry };
  const run = (db: Kysely<Database>) => writeRecords(db, definition, { ...options, isTried: false });
  const outcomes = await (dryRun
    ? inTransaction(ctx.db, (trx) => rolledBack(trx, () => run(trx)))
    : run(ctx.db));
  const reported = reportedIssues(outcomes.map(({ judged }) => judged));
  const results = outcomes.map(({ judged, ...outcome }): ImportResult => {
    // A call names no ids.
    const result = { index: judged.index, ...outcome } as ImportResult;
    const issues = reported.get(judged);
    if (issues === undefined) return dryRun && result.status === 'created' ? { ...result, id: null } : result;
    const { errorCode: code, message: detail, errors = [], errorsOmitted } = importError(issues);
    return { ...result, error: { code, detail, errors, ...(errorsOmitted > 0 && { errorsOmitted }) } };
  });
  const counts = { created: 0, updated: 0, unchanged: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  const { error: errors, ...written } = counts;
  return { results, ...written, errors };
}
