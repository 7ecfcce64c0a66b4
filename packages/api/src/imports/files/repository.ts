import { constant, type Database, fragment } from '@roster/db';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { tableShape } from '../../engine/json/record-json.ts';
import { equalsAny, isAnyId, isTrue } from '../../engine/list/filters.ts';
import { noRecordError, requireRecord } from '../../engine/list/find-record.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { isContained } from '../../identity/access/office-ids.ts';
import { jobFields } from '../../jobs/repository.ts';
import type { CallContext } from '../../trpc/context.ts';
import type { FileSettings } from './formats.ts';
import { lastErrorId } from './row-errors.ts';
import { Import, type ImportError, type ImportFindings, type ImportRow } from './schemas.ts';

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

const isImport = fragment(() => sql<boolean>`change ->> 'type' = 'import'`);
const isSuspicious = fragment((_, param) => sql<boolean>`suspicious && ${param('suspicious')}::text[]`);
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
