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
  created: file<number>('created'),
  updated: sql<number>`(case when ${file('step')} = 'write' then job.changed - ${file('created')} else 0 end)`,
  unchanged: sql<number>`(case when ${file('step')} = 'write' then job.unchanged else 0 end)`,
  findings: file<ImportFindings | null>('findings'),
  unconfirmed: file<Import['unconfirmed']>('to_json(unconfirmed)'),
});

const byTime = { key: 'createdAt', column: 'created_at' };

const isImport = fragment(() => sql<boolean>`change ->> 'type' = 'import'`);
const isSuspicious = fragment((_, param) => sql<boolean>`suspicious && ${param('suspicious')}::text[]`);
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
  /** Suspicious in one of these ways. */
  suspicious: string[];
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
    'suspicious', to_json(suspicious), 'lookAlikes', look_alikes,
    'errors', case when outcome = 'rejected' then (
      select coalesce(json_agg(json_build_object('column', "column", 'code', code, 'detail', detail) order by error.id), '[]')
      from import_error as error
      where error.import_id = import_row.import_id and error.id between import_row.id and ${lastErrorId(sql`import_row.id`)}
    ) else '[]' end)`,
  nameSort: byTime,
  filters: {
    importId: ofImport,
    outcome: (values) => equalsAny('outcome', values),
    suspicious: (values) => ({ condition: isSuspicious({}), values: { suspicious: values } }),
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
  findings: ImportFindings | null;
  unconfirmed: string[];
  confirmed: string[];
  skipped: string[];
}

/** Reads an import whose job is locked; undefined if the job imports no file. */
export async function findImport(db: Kysely<Database>, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select step, is_write, settings, position, findings, to_json(unconfirmed) as unconfirmed,
      to_json(confirmed) as confirmed, to_json(skipped) as skipped
    from import where id = ${id}`.execute(db);
  return rows[0];
}

/**
 * Puts the job of an import at the beginning of a step, or where that was interrupted. What the check has rejected counts as
 * rejected.
 */
export async function startStep(
  trx: Transaction<Database>,
  { id, step }: { id: string; step: Import['step'] },
): Promise<void> {
  await trx.updateTable('import').set({ step }).where('id', '=', id).execute();
  await sql`
    update job set status = 'running', finished_at = null, worked_at = clock_timestamp(), next_batch = 0,
      changed = 0, unchanged = 0,
      rejected = (select count(*) from import_row where import_id = ${id} and outcome = 'rejected')
    where id = ${id}`.execute(trx);
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
export function lastErrorId(row: RawBuilder<unknown>): RawBuilder<string> {
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
