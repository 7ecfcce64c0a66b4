import { constant, type Database, fragment } from '@roster/db';
import type { CellFault } from '@roster/import/files';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { isContained } from '../access/office-ids.ts';
import type { ResourceName } from '../directory/registry.ts';
import { tableShape } from '../engine/json/record-json.ts';
import { equalsAny, isAnyId, isTrue } from '../engine/list/filters.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { officesValue } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Condition } from '../engine/sql/filter.ts';
import type { CountrySources } from '../engine/write/telephone-countries.ts';
import { jobFields } from '../jobs/service.ts';
import type { CallContext } from '../trpc/context.ts';
import type { FileSettings } from './file-format.ts';
import {
  Import,
  type ImportCorrected,
  type ImportError,
  type ImportFindings,
  type ImportPreview,
  type ImportRow,
} from './schemas.ts';

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

/** The numbers of the errors that rows have by comparison with others. */
export const isOfComparison = sql<boolean>`right(id::text, 12) between ${sql.lit(hex(stages.compare, 12))} and ${sql.lit(hex(stages.check - 1, 12))}`;

/**
 * Inserts errors of rows, each with the text of its cell. All have the time of the import, so that they are in the order of the rows.
 */
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
    return { ...error, id: errorId(error.row, stages[stage] + number), value };
  });
  await sql`
    insert into import_error (import_id, id, created_at, row, line, "column", value, code, detail)
    select ${id}::uuid, given.id, job.created_at, given.row, given.line, "column",
      left(nullif(coalesce(import_row.corrections ->> "column", import_row.cells ->> (array_position(headers, "column") - 1), value), ''),
        ${sql.lit(VALUE_MAX)}),
      code, detail
    from json_to_recordset(${JSON.stringify(values)}::json) as given (
      id uuid, row int, line int, "column" text, value text, code text, detail text)
    cross join (select created_at from job where id = ${id}) as job
    cross join (
      select array(select json_array_elements_text(settings -> 'headers')) as headers from import where id = ${id}
    ) as file
    left join import_row on import_row.import_id = ${id} and import_row.row = given.row`.execute(trx);
}

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

const isImport = fragment(() => sql<boolean>`change ->> 'type' = 'import'`);
const hasWarning = fragment((_, param) => sql<boolean>`warnings && ${param('warnings')}::text[]`);
const looksLike = fragment(() => sql`(json_array_length(look_alikes) > 0)`);

export const imports: Listable<Import, { resource: string[]; isImport: true }> = constant({
  name: 'imports',
  table: 'job',
  noun: 'import',
  ...importShape,
  isWithin: isContained,
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
  /** Like an existing record, or not. */
  looksLike: boolean;
  /** With an error in a column, with a code, of a text. */
  errorColumn: string;
  errorCode: string;
  errorValue: string;
}

/** A condition on the errors of a row. */
const hasError = fragment<{ member: 'column' | 'code' | 'value' }, Condition>(({ member }, param) => {
  const text = sql.ref(`error.${member}`);
  return sql<boolean>`exists (
    select from import_error as error
    where error.import_id = import_row.import_id and error.id between import_row.id and ${lastErrorId(sql`import_row.id`)}
      and coalesce(${text}, '') = ${param(member)})`;
});

/** The rows of a file, in its order. */
export const importRows: Listable<Listed<ImportRow>, RowFilters> = constant({
  name: 'import rows',
  table: 'import_row',
  record: sql`json_build_object(
    'row', import_row.row, 'line', line, 'outcome', outcome, 'recordId', subject_id, 'matchedBy', matched_by,
    'cells', cells, 'changes', changes, 'cleared', to_json(cleared),
    'corrections', (
      select coalesce(json_agg(json_build_object('column', key, 'text', value) order by key), '[]')
      from json_each_text(corrections)
    ),
    'notes', notes, 'warnings', to_json(warnings), 'lookAlikes', look_alikes,
    'errors', case when outcome = 'error' then (
      select coalesce(json_agg(json_build_object('column', "column", 'code', code, 'detail', detail) order by error.id), '[]')
      from import_error as error
      where error.import_id = import_row.import_id and error.id between import_row.id and ${lastErrorId(sql`import_row.id`)}
    ) else '[]' end)`,
  filters: {
    importId: ofImport,
    outcome: (values) => equalsAny('outcome', values),
    warnings: (values) => ({ condition: hasWarning({}), values: { warnings: values } }),
    looksLike: isTrue(looksLike({})),
    errorColumn: (column) => ({ condition: hasError({ member: 'column' }), values: { column } }),
    errorCode: (code) => ({ condition: hasError({ member: 'code' }), values: { code } }),
    errorValue: (given) => ({ condition: hasError({ member: 'value' }), values: { value: given } }),
  },
  orderedIndexes: { import_id: 'created_at' },
});

/** The errors of a file, in the order of its rows. */
export const importErrors: Listable<Listed<ImportError>, { importId: string }> = constant({
  name: 'import errors',
  table: 'import_error',
  record: sql`json_build_object(
    'row', import_error.row, 'line', line, 'column', "column", 'value', value, 'code', code, 'detail', detail)`,
  filters: { importId: ofImport },
  orderedIndexes: { import_id: 'created_at' },
});

/** Reads one import. Throws `not_found`, also for a job that imports no file. */
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
  updatesLookAlikes: boolean;
}

/** Reads an import whose job is locked; undefined if the job imports no file. */
export async function findImport(db: Kysely<Database>, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select step, is_write, settings, position, errors, findings, to_json(accept_warnings) as "acceptWarnings",
      to_json(skip) as skip, updates_look_alikes as "updatesLookAlikes"
    from import where id = ${id}`.execute(db);
  return rows[0];
}

/** Whether a file has rows that are items of lists: several of them are one row here. */
export async function hasItemRows(trx: Transaction<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from import_row where import_id = ${id} and item_rows is not null limit 1`.execute(trx);
  return rows.length > 0;
}

/** The corrections of an import that are in effect, those of most rows first. */
export async function findCorrections(
  db: Kysely<Database>,
  { id, headers }: { id: string; headers: readonly string[] },
): Promise<ImportCorrected['corrections']> {
  const { rows } = await sql<ImportCorrected['corrections'][number]>`
    select key as "column", coalesce(
        case when ${headers.length === 0} and record is not null then (cells ->> 0)::json ->> key
          else cells ->> (array_position(${[...headers]}::text[], key) - 1) end, '') as value,
      corrected.value as text, count(*)::int as rows
    from import_row cross join json_each_text(corrections) as corrected
    where import_id = ${id} and corrections::text <> '{}'
    group by 1, 2, 3 order by rows desc, 1, 2, 3 limit 1000`.execute(db);
  return rows;
}

/** The mapping of the last import of a file with the same columns, within the limit; null if there is none. */
export async function findLastMapping(
  { db, limit }: Pick<CallContext, 'db' | 'limit'>,
  { columnsKey, resources }: { columnsKey: string; resources: readonly string[] },
): Promise<ImportPreview['last']> {
  const isSeen = limit === undefined ? sql`` : sql` and ${isContained(sql`${officesValue(limit)}`)}`;
  const { rows } = await sql<{ id: string; resource: ResourceName; createdAt: Date; settings: FileSettings }>`
    select job.id, job.resource, job.created_at as "createdAt", settings
    from import join job on job.id = import.id
    where columns_key = ${columnsKey} and job.resource = any(${[...resources]}::text[])${isSeen}
    order by job.id desc limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { settings, createdAt, ...shown } = found;
  const {
    columns,
    values,
    dates,
    columnEmptyCells,
    phoneCountry,
    emptyCells,
    sourceName = null,
    keyColumn = null,
  } = settings;
  const mapping = {
    columns,
    values,
    dates,
    emptyCells: columnEmptyCells,
    ...(phoneCountry !== undefined && { phoneCountry }),
  };
  return { ...shown, createdAt: createdAt.toISOString(), mapping, emptyCells, sourceName, keyColumn };
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
export type FileFormats = typeof import('./file-format.ts');
