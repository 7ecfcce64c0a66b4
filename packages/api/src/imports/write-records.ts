import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
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
import { inTransaction, rolledBack, withIndexes } from '../engine/write/transaction.ts';
import { toConstraintError } from '../errors/constraint-errors.ts';
import { pointerTo, summarize } from '../errors/describe-issue.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import { RosterError } from '../errors/roster-error.ts';
import { causeOf, countrySources } from '../records/service.ts';
import type { RecordContext } from '../records/settings.ts';
import type { ImportDefinition } from './definitions.ts';
import { type Checking, checkCandidates } from './judge-rows.ts';
import { keepLicenses } from './keep-license.ts';
import { withRetries } from './retry.ts';
import { candidatesOf, type ImportCandidate, type RecordIssue, type RowFacts } from './row-as-read.ts';
import type { ImportMode, ImportResponse, ImportResult } from './schemas.ts';
import { type WarningKind, warningKinds } from './schemas.ts';

/** The request of an import; its records are validated one by one. */
export interface Import {
  records: readonly unknown[];
  mode: ImportMode;
  isAtomic: boolean;
  acceptWarnings: readonly WarningKind[];
  phoneCountry?: string | undefined;
  dryRun: boolean;
}

type Trx = Parameters<typeof checkCandidates>[0];

/** The issues of records that are named, and how many are not. */
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

/** The issues that are named of each rejected record: one of each at least, as many as fit in all, the first ones first. */
function reportedIssues(candidates: ImportCandidate[]): Map<ImportCandidate, ReportedIssues> {
  const rejected = candidates.filter(({ issues }) => issues.length > 0);
  let room = ERRORS_PER_REQUEST_MAX - rejected.length;
  return new Map(
    rejected.map((candidate) => {
      const count = 1 + Math.max(0, Math.min(candidate.issues.length, ERRORS_PER_RECORD_MAX, room + 1) - 1);
      room -= count - 1;
      const issues = candidate.issues.slice(0, count);
      return [candidate, { issues, omitted: candidate.issues.length - count + candidate.issuesOmitted }];
    }),
  );
}

/** The key that led from a record of an import to an existing one; null if there is none. */
function matchedBy(
  { match, matchedId, isById, email, fields, facts }: ImportCandidate,
  { isEmailUnique }: ImportDefinition,
): Outcome['matchedBy'] {
  if (match === undefined) return null;
  if (isById) return 'id';
  if (matchedId === undefined) return 'source';
  if (facts.isByLikeness) return 'likeness';
  if (isEmailUnique) return 'email';
  return typeof (fields.email ?? email) === 'string' ? 'emailAndName' : 'name';
}

/** The outcome of one record, which may name its record by the id. */
export interface Outcome extends Pick<ImportResult, 'status' | 'id' | 'version'> {
  candidate: ImportCandidate;
  matchedBy: ImportResult['matchedBy'] | 'id' | 'name' | 'likeness';
}

function outcomeOf(
  candidate: ImportCandidate,
  { definition, changed }: { definition: ImportDefinition; changed: ReadonlyMap<string, number> },
): Outcome {
  const { id = null, match, issues, isSuperseded } = candidate;
  const by = { candidate, matchedBy: matchedBy(candidate, definition) };
  if (issues.length > 0) return { ...by, status: 'error', id: null, version: null };
  if (match === undefined) return { ...by, status: 'created', id, version: 1 };
  const version = isSuperseded ? undefined : changed.get(match.id);
  if (version === undefined) return { ...by, status: 'unchanged', id, version: match.version };
  return { ...by, status: 'updated', id, version };
}

/** The error that rejects all records, with the issues that are reported of each. */
function errorOfAll(candidates: ImportCandidate[]): RosterError {
  const named = [...reportedIssues(candidates).values()];
  const all: ReportedIssues = {
    issues: named.flatMap(({ issues }) => issues),
    omitted: named.reduce((sum, { omitted }) => sum + omitted, 0),
  };
  return importError(
    all,
    `${named.length} of ${candidates.length} records have errors, so nothing was written: `,
  );
}

/**
 * Writes the records without fault, and returns those that changed. New ones come first where others may refer to them, else last,
 * because they may take an email address that another gives up.
 */
async function write(
  trx: Trx,
  candidates: ImportCandidate[],
  {
    definition,
    cause,
    isTried,
    limit,
  }: Limited & { definition: ImportDefinition; cause: ChangeCause; isTried: boolean },
): Promise<MergedRecord[]> {
  const { resource, columns, empty } = definition;
  const good = candidates.filter(({ issues, isSuperseded }) => issues.length === 0 && !isSuperseded);
  const rowOf = ({ id = '', match, fields, facts: { addsItems } }: ImportCandidate): BatchRow => ({
    id,
    ...(addsItems && { addsItems }),
    columns: valuesOf(resource.fields, match === undefined ? { ...empty, ...fields } : fields),
  });
  const created = good.filter(({ match }) => match === undefined).map(rowOf);
  const merged = good.filter(({ match }) => match !== undefined).map(rowOf);
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

/** Ids in the order of the records, so that lists by time of creation have it too. */
function idsAt(now: Date): (candidate: ImportCandidate) => string {
  const SEQUENCES = 2 ** 30;
  const start = Math.floor(Math.random() * SEQUENCES);
  return ({ index }) => newId(now, start + index);
}

/** A violation that others caused again and again, or that no check foresees. */
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
interface RecordsToWrite extends Omit<Checking, 'newId'> {
  records: readonly unknown[];
  /** The facts of the row of each, if they are rows of a file. */
  rows?: readonly RowFacts[];
  cause: ChangeCause;
  /** Whether the caller rolls it back: then new records are checked and not inserted, which takes most of the time. */
  isTried: boolean;
}

/** Reads records, and finds what is wrong with them. */
async function checkRecords(
  trx: Trx,
  definition: ImportDefinition,
  { records, rows = [], cause, ...checking }: Omit<RecordsToWrite, 'isTried'>,
): Promise<ImportCandidate[]> {
  await withIndexes(trx);
  const candidates = candidatesOf(records, definition, { mode: checking.mode, rows });
  await checkCandidates(trx, candidates, definition, { ...checking, newId: idsAt(cause.now) });
  await keepLicenses(trx, candidates, definition);
  return candidates;
}

/** Creates and changes records, and leaves out those that are rejected; `isAtomic`, throws the error of all of them. */
function writeRecords(
  db: Kysely<Database>,
  definition: ImportDefinition,
  { isTried, ...options }: RecordsToWrite,
) {
  const { records, cause, isAtomic, limit } = options;
  const attempt = withRetries(db, async (trx) => {
    const candidates = await checkRecords(trx, definition, options);
    if (isAtomic && candidates.some(({ issues }) => issues.length > 0)) throw errorOfAll(candidates);
    const written = await write(trx, candidates, { definition, cause, isTried, limit });
    const changed = new Map(written.map(({ id, version }) => [id, version]));
    return candidates.map((candidate) => outcomeOf(candidate, { definition, changed }));
  });
  return attempt.catch((error: unknown) => {
    throw toRecordError(error, records);
  });
}

type RecordBatch = Omit<RecordsToWrite, 'mode' | 'isAtomic'>;

/**
 * Creates and changes the records of a batch, each by its source, its id or its email address, and leaves out those that are
 * rejected. Throws the error of a rule that no check foresees.
 */
export async function importBatch(
  trx: Trx,
  definition: ImportDefinition,
  batch: RecordBatch,
): Promise<Outcome[]> {
  return writeRecords(trx, definition, { mode: 'match', isAtomic: false, ...batch });
}

/**
 * The country by which the phone numbers of each record of a batch would be read that have no country code: null if none is known, undefined
 * for a record without such phone numbers. Nothing is written.
 */
export async function findPhoneCountries(
  ctx: RecordContext,
  definition: ImportDefinition,
  rows: Pick<RecordBatch, 'records' | 'rows'>,
): Promise<(string | null | undefined)[]> {
  const rules = { mode: 'match', isAtomic: false, acceptWarnings: warningKinds } as const;
  const options = { ...rows, ...rules, ...countrySources(ctx), cause: causeOf(ctx) };
  const candidates = await withRetries(ctx.db, (trx) => checkRecords(trx, definition, options));
  return candidates.map(({ phoneCountry }) => phoneCountry);
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
  const rows = await (dryRun ? inTransaction(ctx.db, (trx) => rolledBack(trx, () => run(trx))) : run(ctx.db));
  const reported = reportedIssues(rows.map(({ candidate }) => candidate));
  const results = rows.map(({ candidate, ...outcome }): ImportResult => {
    // A call names no ids.
    const result = { index: candidate.index, ...outcome } as ImportResult;
    const issues = reported.get(candidate);
    if (issues === undefined) return dryRun && result.status === 'created' ? { ...result, id: null } : result;
    const { errorCode: code, message: detail, errors = [], errorsOmitted } = importError(issues);
    return { ...result, error: { code, detail, errors, ...(errorsOmitted > 0 && { errorsOmitted }) } };
  });
  const counts = { created: 0, updated: 0, unchanged: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  const { error: errors, ...written } = counts;
  return { results, ...written, errors };
}
