import { constant, type Database, fragment } from '@roster/db';
import type { CellFault } from '@roster/import/files';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ResourceName } from '../directory.ts';
import { tableShape } from '../engine/json/record-json.ts';
import { equalsAny, isAnyId, isTrue } from '../engine/list/filters.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import type { Listable } from '../engine/list/list-records.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { CountrySources } from '../engine/write/telephone-countries.ts';
import { isContained } from '../identity/access/office-ids.ts';
import { jobFields } from '../jobs/repository.ts';
import type { CallContext } from '../trpc/context.ts';
import { Import, type ImportError, type ImportFindings, type ImportRow } from './file-schemas.ts';
import type { FileSettings } from './parse.ts';

const file = <Value>(value: string): RawBuilder<Value> =>
  sql<Value>`(select ${sql.raw(value)} from import where import.id = job.id)`;

/** An import as the API shows it: its job, and what the job does with the file. */
const importShape = tableShape('job', Import, {
  ...jobFields,
  name: sql<string | null>`job.change ->> 'name'`,
  format: file<Import['format']>("settings ->> 'format'"),
  encoding: file<string>("settings ->> 'encoding'"),
  delimiter: file<Import['delimiter']>("settings ->> 'delimiter'"),
  headerRow: file<number>("(settings ->> 'headerRow')::int"),
  columns: file<Import['columns']>("coalesce(settings -> 'fields', '[]')"),
  step: file<Import['step']>('step'),
  processed: file<number>('created + updated + unchanged + errors + warnings + skipped'),
  created: file<number>('created'),
  updated: file<number>('updated'),
  unchanged: file<number>('unchanged'),
  errors: file<number>('errors'),
  warnings: file<number>('warnings'),
  skipped: file<number>('skipped'),
  findings: file<ImportFindings | null>('findings'),
});

const byTime = { key: 'createdAt', column: 'created_at' };

const isImport = fragment(() => sql<boolean>`change ->> 'type' = 'import'`);
const hasWarning = fragment((_, param) => sql<boolean>`warnings && ${param('warnings')}::text[]`);
const looksLike = fragment(() => sql`(json_array_length(look_alikes) > 0)`);

export const imports: Listable<Import, { resource: string[]; isImport: true }> = constant({
  name: 'imports',
  table: 'job',
  noun: 'import',
  ...importShape,
  isWithin: isContained,
  nameSort: byTime,
  filters: {
    resource: (values) => equalsAny('resource', values),
    isImport: () => ({ condition: isImport({}), values: {} }),
  },
});

/** Rows and errors are listed by ids in the order of the file, which are not public. */
type Listed<Shown> = Shown & { id: string };

const ofImport = (id: string) => isAnyId('import_id', [id]);

interface RowFilters {
  importId: string;
  /** One of these outcomes. */
  outcome: string[];
  /** With one of these warnings. */
  warnings: string[];
  /** Like a record that is there, or not. */
  looksLike: boolean;
}

/** The rows of a file, in its order. */
export const importRows: Listable<Listed<ImportRow>, RowFilters> = constant({
  name: 'import rows',
  table: 'import_row',
  record: sql`json_build_object(
    'row', import_row.row, 'line', line, 'outcome', outcome, 'recordId', subject_id, 'matchedBy', matched_by,
    'cells', cells, 'changes', changes, 'cleared', to_json(cleared),
    'warnings', to_json(warnings), 'lookAlikes', look_alikes,
    'errors', case when outcome = 'error' then (
      select coalesce(json_agg(json_build_object('column', "column", 'code', code, 'detail', detail) order by error.id), '[]')
      from import_error as error
      where error.import_id = import_row.import_id and error.id between import_row.id and ${lastErrorId(sql`import_row.id`)}
    ) else '[]' end)`,
  nameSort: byTime,
  filters: {
    importId: ofImport,
    outcome: (values) => equalsAny('outcome', values),
    warnings: (values) => ({ condition: hasWarning({}), values: { warnings: values } }),
    looksLike: isTrue(looksLike({})),
  },
  orderedIndexes: { import_id: 'created_at' },
});

/** The errors of a file, in the order of its rows. */
export const importErrors: Listable<Listed<ImportError>, { importId: string }> = constant({
  name: 'import errors',
  table: 'import_error',
  record: sql`json_build_object(
    'row', import_error.row, 'line', line, 'column', "column", 'value', value, 'code', code, 'detail', detail)`,
  nameSort: byTime,
  filters: { importId: ofImport },
  orderedIndexes: { import_id: 'created_at' },
});

/** Reads one import. Throws `not_found`, also of a job that imports no file. */
export async function readImport(
  { db, limit }: Pick<CallContext, 'db' | 'limit'>,
  id: string,
): Promise<Import> {
  const found = await requireRecord(db, imports, { id, limit });
  if (found.step === null) throw noRecordError(imports, id);
  return found;
}

export interface StoredImport {
  step: Import['step'];
  is_write: boolean;
  settings: FileSettings;
  position: { bytes: number; row: number; line: number };
  errors: number;
  findings: ImportFindings | null;
  acceptWarnings: string[];
  skip: string[];
}

/** Reads an import whose job is locked; undefined if the job imports no file. */
export async function findImport(db: Kysely<Database>, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select step, is_write, settings, position, errors, findings, to_json(accept_warnings) as "acceptWarnings",
      to_json(skip) as skip
    from import where id = ${id}`.execute(db);
  return rows[0];
}

/** Counts rows by their outcomes. */
const countRows = (areCounted: RawBuilder<unknown>) => sql`
  select
    count(*) filter (where outcome = 'created')::int as created, count(*) filter (where outcome = 'updated')::int as updated,
    count(*) filter (where outcome = 'unchanged')::int as unchanged, count(*) filter (where outcome = 'error')::int as errors,
    count(*) filter (where outcome = 'warning')::int as warnings, count(*) filter (where outcome = 'skipped')::int as skipped
  from import_row where ${areCounted}`;

/** Adds rows to the numbers of an import and of its job. A check changes nothing. */
async function addRows(
  trx: Transaction<Database>,
  { id, step }: { id: string; step: Import['step'] },
  areAdded: RawBuilder<unknown>,
): Promise<void> {
  const changed = step === 'write' ? sql`counted.created + counted.updated` : sql`0`;
  const unchanged =
    step === 'write' ? sql`counted.unchanged` : sql`counted.created + counted.updated + counted.unchanged`;
  await sql`
    with counted as materialized (${countRows(sql`import_id = ${id} and ${areAdded}`)}), added as (
      update import set
        created = import.created + counted.created, updated = import.updated + counted.updated,
        unchanged = import.unchanged + counted.unchanged, errors = import.errors + counted.errors,
        skipped = import.skipped + counted.skipped
      from counted where import.id = ${id}
    )
    update job set
      changed = job.changed + ${changed}, unchanged = job.unchanged + ${unchanged}, rejected = job.rejected + counted.errors,
      worked_at = clock_timestamp()
    from counted where job.id = ${id}`.execute(trx);
}

/** Puts the job of an import at the beginning of a step. The rows in no batch could not be read: they have errors. */
export async function startStep(
  trx: Transaction<Database>,
  { id, step }: { id: string; step: Import['step'] },
): Promise<void> {
  const none = { created: 0, updated: 0, unchanged: 0, errors: 0, warnings: 0, skipped: 0 };
  await trx
    .updateTable('import')
    .set({ step, ...none })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('job')
    .set({ status: 'running', finished_at: null, next_batch: 0, changed: 0, unchanged: 0, rejected: 0 })
    .where('id', '=', id)
    .execute();
  await addRows(trx, { id, step }, sql`batch is null`);
}

/** Counts the rows of the next batches, which are done. */
export async function endBatches(
  trx: Transaction<Database>,
  { id, step, first, count }: { id: string; step: Import['step']; first: number; count: number },
): Promise<void> {
  const next = first + count;
  await trx.updateTable('job').set({ next_batch: next }).where('id', '=', id).execute();
  await addRows(trx, { id, step }, sql`batch between ${first} and ${next - 1}`);
}

/** Stores what the check of an import has found: rows with warnings of these kinds wait until they are accepted or skipped. */
export async function storeFindings(
  trx: Transaction<Database>,
  { id, findings }: { id: string; findings: ImportFindings },
): Promise<void> {
  await sql`
    update import_row set outcome = 'warning'
    where import_id = ${id} and outcome <> 'error' and warnings && ${findings.warnings}::text[]`.execute(trx);
  await sql`
    update import set findings = ${JSON.stringify(findings)}, created = counted.created, updated = counted.updated,
      unchanged = counted.unchanged, errors = counted.errors, warnings = counted.warnings
    from (${countRows(sql`import_id = ${id}`)}) as counted where import.id = ${id}`.execute(trx);
}

/** Resumes an interrupted job where it stopped. */
export async function resumeStep(trx: Transaction<Database>, id: string): Promise<void> {
  const unfinished = { finished_at: null, failure_code: null, failure_detail: null };
  await trx
    .updateTable('job')
    .set({ status: 'running', ...unfinished, worked_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** The rows and the bytes of records of one batch, which is checked, and written, in one transaction. */
export const BATCH = { rows: 500, bytes: 2 * 1024 * 1024 };

/** The job of an import, whose file is read. */
export interface ReadJob {
  id: string;
  resource: ResourceName;
  now: Date;
}

/** The same, whose rows are checked or written. */
export interface RowsJob extends ReadJob, CountrySources {
  batch: number;
  cause: ChangeCause;
}

/** The reader of files, which a process loads with the first of them: most processes read none. */
export type FileFormats = typeof import('./parse.ts');

export type NewError = CellFault & { row: number; line: number };

/** The numbers of the errors of one row, by when they are found. */
const stages = { read: 0, compare: 0x1000, check: 0x2000, write: 0x3000 };
type Stage = keyof typeof stages;

const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');

/** The id of a row of a file, by which it is listed in the order of the file. */
export function rowId(row: number): string {
  return `${hex(row, 8)}-0000-8000-8000-000000000000`;
}

/** The id of an error of a row, in the order in which they were found. */
function errorId(row: number, number: number): string {
  return `${hex(row, 8)}-0000-8000-8000-${hex(number, 12)}`;
}

/** The id that no error of a row comes after, by the id of the row. */
function lastErrorId(row: RawBuilder<unknown>): RawBuilder<string> {
  return sql`overlay(${row}::text placing 'ffffffffffff' from 25)::uuid`;
}

/** The longest value of a cell that an error shows. */
const VALUE_MAX = 500;

/** Inserts errors of rows. All have the time of the import, so that they are in the order of the rows. */
export async function insertErrors(
  trx: Transaction<Database>,
  { id, stage }: { id: string; stage: Stage },
  errors: readonly NewError[],
): Promise<void> {
  if (errors.length === 0) return;
  const numbers = new Map<number, number>();
  const values = errors.map(({ value, ...error }) => {
    const number = numbers.get(error.row) ?? 0;
    numbers.set(error.row, number + 1);
    return { ...error, id: errorId(error.row, stages[stage] + number), value: value?.slice(0, VALUE_MAX) };
  });
  await sql`
    insert into import_error (import_id, id, created_at, row, line, "column", value, code, detail)
    select ${id}::uuid, given.id, job.created_at, row, line, "column", value, code, detail
    from json_to_recordset(${JSON.stringify(values)}::json) as given (
      id uuid, row int, line int, "column" text, value text, code text, detail text)
    cross join (select created_at from job where id = ${id}) as job`.execute(trx);
}
