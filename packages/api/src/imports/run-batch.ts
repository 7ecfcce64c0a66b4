import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { definitionOf } from '../directory/registry.ts';
import { type ComparedRecord, findLookAlikes, readProfiles } from '../duplicates/service.ts';
import { valueAt } from '../engine/fields/columns.ts';
import type { Fields } from '../engine/fields/field.ts';
import { rolledBack } from '../engine/write/transaction.ts';
import { differences, type Json, splitPath, valueAt as valueAtPath } from '../records/field-changes.ts';
import { compareRecords, findRecords } from '../records/try-change.ts';
import type { FileSettings } from './file-format.ts';
import { type ImportRow, type WarningKind, warningKinds } from './schemas.ts';
import { type FileFormats, insertErrors, type NewError, type RowsJob } from './stored-import.ts';
import { type FieldFault, findBatchRows, importRows, type RowResult } from './write-rows.ts';

interface Reading {
  settings: FileSettings;
  formats: FileFormats;
}

const isSplit = ({ settings, formats }: Reading) => formats.splitsNames(settings);

/** The value of a field of a record as text; null if it has none. */
function textAt(record: object, field: string): string | null {
  const value = valueAt(record, field.split('.'));
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The row of an item of a record, by the path of a field in it, and the field of its column; undefined if it is no row by itself. */
function itemAt({ itemRows }: RowResult['row'], path: string) {
  const [list, index = '', ...rest] = path.split('.');
  const place = itemRows?.[Number.parseInt(index, 10)];
  return place && { row: place[0], line: place[1], field: [list, ...rest].join('.') };
}

/** The errors of a record, and one of its first row if all are of others. */
function withOwnError({ row: { row, line } }: RowResult, errors: NewError[]): NewError[] {
  const [first] = errors;
  if (first === undefined || errors.some((error) => error.row === row)) return errors;
  const detail = `is rejected with row ${first.row} of the same record`;
  return [{ row, line, column: '', value: null, code: 'rejected', detail }, ...errors];
}

function errorsOf(
  results: readonly RowResult[],
  { resource }: RowsJob,
  { settings, formats }: Reading,
): NewError[] {
  const errorOf = ({ row }: RowResult, { field, code, detail }: FieldFault): NewError => {
    const place = itemAt(row, field);
    const column = field === '' ? '' : formats.columnOf(resource, settings, place?.field ?? field);
    const value = field === 'status' ? row.status : field === 'id' ? row.recordId : textAt(row.record, field);
    const error = { row: place?.row ?? row.row, line: place?.line ?? row.line, column, value };
    // A field that a record needs has no text in the file.
    if (value === null && code === 'invalid_type')
      return { ...error, code: 'required', detail: 'is missing' };
    return { ...error, code, detail };
  };
  return results.flatMap((result) => {
    const errors = result.faults.map((fault) => errorOf(result, fault));
    return withOwnError(result, errors);
  });
}

/** The values of a row that were read in one of several ways, at their columns. */
function notesOf(
  { notes }: RowResult,
  { resource }: RowsJob,
  { settings, formats }: Reading,
): RowResult['row']['notes'] {
  return notes.map(({ field, detail }) => ({
    column: formats.columnOf(resource, settings, field),
    kind: 'guessed' as const,
    detail,
  }));
}

/** The changes that a row would make, and the kinds of warnings that they are part of. */
interface Effect {
  changes: ImportRow['changes'];
  cleared: string[];
  warnings: WarningKind[];
  notes: RowResult['row']['notes'];
  lookAlikes: ImportRow['lookAlikes'];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a row has the value of a field, or of a part of one, as an empty one. */
function isGivenEmpty(record: Json, path: string): boolean {
  const [name] = splitPath(path);
  return Object.hasOwn(record, name) && valueAtPath(record, path) === null;
}

/** The parts of a licence that a row with columns for these clears in the licence of its number. */
function clearedOfLicense({ licenses }: Json, before: Json): string[] {
  if (!isObject(licenses) || !isObject(licenses[0]) || !Array.isArray(before.licenses)) return [];
  const { 0: given } = licenses;
  const held = before.licenses.find((license) => license.number === given.number);
  const names = Object.keys(given).filter((name) => given[name] === null && held?.[name] != null);
  return names.map((name) => `licenses[0].${name}`);
}

/** The fields of a record that a row clears by empty cells, and not by what follows from others. */
function clearedBy(
  { row: { record } }: RowResult,
  { before, after, fields }: { before: Json; after: Json; fields: Fields },
): string[] {
  const cleared = differences(before, after, fields).filter(
    (change) => change.after === null && isGivenEmpty(record, change.field),
  );
  return [...cleared.map(({ field }) => field), ...clearedOfLicense(record, before)];
}

/** The warnings about a row. Those about moves and deactivations matter if there are many like it. */
function warningsOf(
  changes: Effect['changes'],
  of: {
    isRenamed: boolean;
    isClearing: boolean;
    noted: readonly WarningKind[];
    parentField: string | undefined;
  },
): WarningKind[] {
  const found: WarningKind[] = of.isRenamed ? ['renames'] : [];
  if (of.isClearing) found.push('clears');
  found.push(...of.noted);
  for (const { field, from, to } of changes) {
    if (field === of.parentField && from !== null) found.push('moves');
    if (field === 'status' && to === 'inactive') found.push('deactivations');
  }
  return found;
}

/** From this score on a row certainly is a record: one more reason than a name and a phone number is needed for it. */
const SCORE_CERTAIN = 0.95;

/** Finds the existing records that look like those that rows would create. */
async function lookAlikesOf(
  trx: Transaction<Database>,
  { resource: name, limit }: RowsJob,
  results: readonly RowResult[],
): Promise<Map<RowResult, ImportRow['lookAlikes']>> {
  const created = results.filter(({ outcome }) => outcome === 'created');
  const resource = definitionOf(name);
  // A new record has no id: the number of its row stands for it.
  const profiles = readProfiles(
    resource,
    created.map(({ row: { row }, fields: record }) => ({ ...record, id: String(row) })),
  );
  const found = await findLookAlikes<ComparedRecord>(trx, resource, { profiles, limit });
  const shownOf = ({ row: { row, isKeyed } }: RowResult) =>
    (found.get(String(row)) ?? []).map(({ record, ...likeness }, _, { length }) => ({
      recordId: record.id,
      name: String(record[resource.nameField]),
      ...likeness,
      // A key in a source says that it is another record, and one of two is not certain.
      isCertain: !isKeyed && length === 1 && likeness.score >= SCORE_CERTAIN,
    }));
  return new Map(created.map((result) => [result, shownOf(result)]));
}

/** Stores the outcomes of rows, actual or expected, with their errors. */
async function storeResults(
  trx: Transaction<Database>,
  job: RowsJob,
  {
    results,
    effects,
    ...reading
  }: Reading & { results: readonly RowResult[]; effects?: Map<RowResult, Effect> },
): Promise<void> {
  const values = results.map((result) => {
    const { row, outcome, subjectId, matchedBy, phoneCountry } = result;
    const { changes, cleared, warnings, notes, lookAlikes: look_alikes } = effects?.get(result) ?? {};
    const shown = { changes, cleared, warnings, notes, look_alikes };
    const found = { subject_id: subjectId, matched_by: matchedBy, phone_country: phoneCountry };
    return { row: row.row, outcome, ...found, ...shown };
  });
  await sql`
    update import_row set outcome = given.outcome, subject_id = given.subject_id, matched_by = given.matched_by, phone_country = given.phone_country,
      changes = coalesce(given.changes, import_row.changes), warnings = coalesce(given.warnings, import_row.warnings),
      cleared = coalesce(given.cleared, import_row.cleared), notes = coalesce(given.notes, import_row.notes),
      look_alikes = coalesce(given.look_alikes, import_row.look_alikes)
    from json_to_recordset(${JSON.stringify(values)}::json) as given (
      row int, outcome text, subject_id uuid, matched_by text, phone_country text, changes json, cleared text[], warnings text[], notes json, look_alikes json)
    where import_id = ${job.id} and batch = ${job.batch} and import_row.row = given.row`.execute(trx);
  const stage = effects === undefined ? 'write' : 'check';
  await insertErrors(trx, { id: job.id, stage }, errorsOf(results, job, reading));
}

/** Whether a row has what identifies its record from another row too. */
const isOfTwoRows = ({ field, code }: FieldFault) =>
  code === 'repeated' && ['source', 'id', 'email'].includes(field);

/** Finds what else is wrong with the rows of a batch that were rejected before it, in the columns where nothing was wrong yet. */
async function checkRejected(trx: Transaction<Database>, job: RowsJob, reading: Reading): Promise<void> {
  const rows = await findBatchRows(trx, job, 'faulty');
  if (rows.length === 0) return;
  const results = await rolledBack(trx, () =>
    importRows(trx, rows, {
      job,
      isCheck: true,
      acceptWarnings: warningKinds,
      isNameSplit: isSplit(reading),
    }),
  );
  const numbers = rows.map(({ row }) => row);
  const known = await trx
    .selectFrom('import_error')
    .where('import_id', '=', job.id)
    .where((error) => error('row', '=', error.fn.any(error.val(numbers))))
    .select(['row', 'column'])
    .execute();
  const faulty = new Set(known.map(({ row, column }) => `${row} ${column}`));
  // The rows of the file were compared with each other before.
  for (const result of results) result.faults = result.faults.filter((fault) => !isOfTwoRows(fault));
  const others = errorsOf(results, job, reading).filter(({ row, column }) => !faulty.has(`${row} ${column}`));
  await insertErrors(trx, { id: job.id, stage: 'check' }, others);
}

/** Tries a batch in a part of the transaction that is rolled back, and stores what each row would do. */
export async function checkBatch(trx: Transaction<Database>, job: RowsJob, reading: Reading): Promise<void> {
  const { limit } = job;
  const resource = definitionOf(job.resource);
  await checkRejected(trx, job, reading);
  const rows = await findBatchRows(trx, job, 'open');
  const { results, after } = await rolledBack(trx, async () => {
    const tried = await importRows(trx, rows, {
      job,
      isCheck: true,
      acceptWarnings: warningKinds,
      isNameSplit: isSplit(reading),
    });
    const updated = tried.filter(({ outcome }) => outcome === 'updated');
    const ids = updated.flatMap(({ subjectId }) => subjectId ?? []);
    return { results: tried, after: await findRecords(trx, resource, { ids, limit }) };
  });
  const before = await findRecords(trx, resource, { ids: [...after.keys()], limit });
  const lookAlikes = await lookAlikesOf(trx, job, results);
  const effects = new Map<RowResult, Effect>();
  for (const result of results) {
    const { subjectId, isRenamed, outcome } = result;
    // A record that would be created has no id yet.
    if (outcome === 'created') result.subjectId = null;
    const known = outcome === 'updated' ? before.get(subjectId ?? '') : undefined;
    const changed = after.get(subjectId ?? '') ?? {};
    const changes = known === undefined ? [] : compareRecords(known, after.get(subjectId ?? ''));
    // A null of NDJSON was written there to clear a field.
    const isByCells = known !== undefined && reading.settings.format === 'csv';
    const { fields } = resource;
    const cleared = isByCells ? clearedBy(result, { before: known, after: changed, fields }) : [];
    const isClearing = cleared.length > 0;
    const notes = [...result.row.notes, ...notesOf(result, job, reading)];
    const noted = outcome === 'unchanged' ? [] : [...new Set(notes.map(({ kind }) => kind))];
    const of = { isRenamed, isClearing, noted, parentField: resource.parent?.field };
    const warnings = warningsOf(changes, of);
    effects.set(result, { changes, cleared, warnings, notes, lookAlikes: lookAlikes.get(result) ?? [] });
  }
  await storeResults(trx, job, { results, effects, ...reading });
}

/** The ids of the records that a batch has changed. */
async function findWritten(
  trx: Transaction<Database>,
  { id }: RowsJob,
  results: readonly RowResult[],
): Promise<string[]> {
  const idsOf = (some: readonly RowResult[]) => some.flatMap(({ subjectId }) => subjectId ?? []);
  const written = idsOf(results.filter(({ outcome }) => outcome === 'created' || outcome === 'updated'));
  // A record whose status could not be changed may have other fields that were.
  const doubtful = idsOf(results.filter(({ outcome }) => outcome === 'error'));
  if (doubtful.length === 0) return [...new Set(written)];
  const { rows } = await sql<{ id: string }>`
    select distinct subject_id as id from event
    where subject_id = any(${doubtful}::uuid[]) and details ->> 'bulkId' = ${id}`.execute(trx);
  return [...new Set([...written, ...rows.map((record) => record.id)])];
}

/**
 * Writes a batch, and stores what became of each row. The job knows the records, for its undo. A batch that was written before, by a
 * server that ended before it noted the progress, is left as it is.
 */
export async function writeBatch(
  trx: Transaction<Database>,
  job: RowsJob,
  { acceptWarnings, ...reading }: Reading & { acceptWarnings: readonly string[] },
): Promise<void> {
  const { id, batch } = job;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('job_batch')
    .values({ job_id: id, number: batch, ids: [] })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return;
  const rows = await findBatchRows(trx, job, 'accepted');
  const results = await importRows(trx, rows, {
    job,
    isCheck: false,
    acceptWarnings,
    isNameSplit: isSplit(reading),
  });
  await storeResults(trx, job, { results, ...reading });
  const written = await findWritten(trx, job, results);
  await trx
    .updateTable('job_batch')
    .set({ changed: written })
    .where('job_id', '=', id)
    .where('number', '=', batch)
    .execute();
}
