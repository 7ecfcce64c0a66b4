import type { Database } from '@roster/db';
import type { FileRow } from '@roster/import/files';
import { sql, type Transaction } from 'kysely';
import { isStorable } from '../engine/fields/field.ts';
import { RosterError } from '../errors/roster-error.ts';
import { compareRows } from './compare-rows.ts';
import { noteLeftEmails } from './link-rows.ts';
import { ROWS_MAX } from './schemas.ts';
import {
  BATCH,
  type FileFormats,
  insertErrors,
  type NewError,
  type ReadJob,
  rowId,
  type StoredImport,
} from './stored-import.ts';

/** The rows that are read in one transaction. */
const ROWS_AT_ONCE = 10_000;
/** The rows that one statement inserts. */
const ROWS_PER_STATEMENT = 500;

/** The text of a file from a place on, a piece at a time. */
async function* textFrom(trx: Transaction<Database>, id: string, bytes: number): AsyncGenerator<Buffer> {
  let from = bytes;
  for (;;) {
    const chunk = await trx
      .selectFrom('upload_chunk')
      .where('upload_id', '=', (row) => row.selectFrom('upload').where('import_id', '=', id).select('id'))
      .where('start', '<=', String(from))
      .select(['start', 'text'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    const rest = chunk?.text.subarray(from - Number(chunk.start));
    if (rest === undefined || rest.length === 0) return;
    yield rest;
    from += rest.length;
  }
}

/** Numbers batches as rows come: each has so many rows and bytes at most. */
class BatchNumbers {
  number: number;
  #rows = 0;
  #bytes = 0;

  constructor(first: number) {
    this.number = first;
  }

  next(bytes: number): number {
    if (this.#rows > 0 && (this.#rows >= BATCH.rows || this.#bytes + bytes > BATCH.bytes)) {
      this.number += 1;
      [this.#rows, this.#bytes] = [0, 0];
    }
    this.#rows += 1;
    this.#bytes += bytes;
    return this.number;
  }
}

/** The columns of a row that are read from its cells. Of a row that could be read, the check finds the other faults too. */
function columnsOf(
  { record, faults, recordId, list, bytes: _, next: __, notes, ...row }: FileRow,
  batches: BatchNumbers,
) {
  const outcome = faults.length > 0 ? 'error' : null;
  const isUnread = outcome !== null && Object.keys(record).length === 0;
  const text = isUnread ? null : JSON.stringify(record);
  const batch = text === null ? null : batches.next(Buffer.byteLength(text));
  const items = list === null ? null : [[row.row, row.line]];
  const shown = notes.map(({ column, kind, detail }) => ({ column, kind, detail }));
  return { ...row, record_id: recordId, item_rows: items, batch, outcome, text, notes: shown };
}

const givenColumns = sql`(
  row int, id uuid, line int, batch int, source text, record_id text, email text, main text, status text, cells json, item_rows json, text text,
  outcome text, notes json)`;

async function insertFaults(trx: Transaction<Database>, id: string, rows: readonly FileRow[]): Promise<void> {
  const errors = rows.flatMap(({ row, line, faults }): NewError[] =>
    faults.map((fault) => ({ row, line, ...fault })),
  );
  await insertErrors(trx, { id, stage: 'read' }, errors);
}

async function insertRows(
  trx: Transaction<Database>,
  { id }: ReadJob,
  { rows, batches }: { rows: readonly FileRow[]; batches: BatchNumbers },
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => ({ ...columnsOf(row, batches), id: rowId(row.row) }));
  await sql`
    insert into import_row
      (import_id, row, id, created_at, line, batch, source, record_id, email, main, status, cells, item_rows, record, outcome, notes)
    select ${id}::uuid, row, given.id, job.created_at, line, batch, source, record_id, email, main, status, cells, item_rows, text::json, outcome,
      notes
    from json_to_recordset(${JSON.stringify(values)}::json) as given ${givenColumns}
    cross join (select created_at from job where id = ${id}) as job`.execute(trx);
  await insertFaults(trx, id, rows);
}

/** The rows that are to be checked again: they have no outcome, and no batch yet. */
const isToRead = sql<boolean>`batch is null and outcome is null`;

/**
 * Reads the next rows again that are to be checked again, from their cells and the corrections of these. Returns whether there were any.
 * After the last ones, rows are compared with each other again, and are in batches.
 */
export async function rereadSome(
  trx: Transaction<Database>,
  job: ReadJob,
  { settings, formats }: Pick<StoredImport, 'settings'> & { formats: FileFormats },
): Promise<boolean> {
  const { id, resource } = job;
  const { rows: given } = await sql<{
    row: number;
    line: number;
    cells: string[];
    corrections: Record<string, string>;
  }>`
    select row, line, cells, corrections from import_row where import_id = ${id} and ${isToRead}
    order by row limit ${sql.lit(ROWS_AT_ONCE + 1)}`.execute(trx);
  const isLast = given.length <= ROWS_AT_ONCE;
  const some = given.slice(0, ROWS_AT_ONCE);
  const [first] = some;
  if (first === undefined) return false;
  const batches = new BatchNumbers(await nextBatch(trx, id));
  const read = formats.rowsAgain(resource, { settings, isStorable });
  const rows = some.map(({ corrections, ...row }) => read(row, corrections));
  const values = rows.map((row) => columnsOf(row, batches));
  await sql`
    update import_row set batch = given.batch, source = given.source, record_id = given.record_id, email = given.email,
      main = given.main, status = given.status, item_rows = given.item_rows, record = given.text::json, outcome = given.outcome,
      notes = given.notes, level = 0, left_email = null, linked_to = null, subject_id = null, matched_by = null, phone_country = null,
      changes = '[]', look_alikes = '[]', warnings = '{}', cleared = '{}'
    from json_to_recordset(${JSON.stringify(values)}::json) as given ${givenColumns}
    where import_id = ${id} and import_row.row = given.row`.execute(trx);
  await insertFaults(trx, id, rows);
  await noteLeftEmails(trx, job, first.row);
  if (isLast) await compareRows(trx, job, { settings, formats });
  return true;
}

/**
 * Reads the next rows of a file into the database. Returns whether these were the last ones: then the rows are compared with each
 * other, and are in batches. Throws `payload_too_large` for more rows than an import may have.
 */
export async function readSome(
  trx: Transaction<Database>,
  job: ReadJob,
  { settings, position, formats }: Pick<StoredImport, 'settings' | 'position'> & { formats: FileFormats },
): Promise<boolean> {
  const { id, resource } = job;
  const text = textFrom(trx, id, position.bytes);
  const batches = new BatchNumbers(await nextBatch(trx, id));
  let next = position;
  let first: number | undefined;
  let [count, held]: [number, FileRow[]] = [0, []];
  for await (const row of formats.readRows(resource, text, { settings, from: position, isStorable })) {
    held.push(row);
    first ??= row.row;
    count += 1;
    next = { bytes: position.bytes + row.bytes, ...row.next };
    if (held.length === ROWS_PER_STATEMENT) {
      await insertRows(trx, job, { rows: held, batches });
      held = [];
    }
    if (count === ROWS_AT_ONCE) break;
  }
  await insertRows(trx, job, { rows: held, batches });
  if (first !== undefined) await noteLeftEmails(trx, job, first);
  const { total } = await trx
    .updateTable('job')
    .set((row) => ({
      status: 'running',
      started_at: row.fn.coalesce('started_at', row.val(job.now)),
      worked_at: sql`clock_timestamp()`,
      total: row('total', '+', count),
    }))
    .where('id', '=', id)
    .returning('total')
    .executeTakeFirstOrThrow();
  if (total > ROWS_MAX)
    throw new RosterError(
      'payload_too_large',
      `A file has at most ${ROWS_MAX.toLocaleString('en-US')} rows.`,
    );
  await trx
    .updateTable('import')
    .set({ position: JSON.stringify(next) })
    .where('id', '=', id)
    .execute();
  if (count === ROWS_AT_ONCE) return false;
  if (total === 0 && settings.format === 'csv' && (await hasTextAfterHeader(trx, id, settings)))
    throw new RosterError(
      'validation_failed',
      'The file has text after its header, but no row could be read.',
    );
  await trx.deleteFrom('upload').where('import_id', '=', id).execute();
  await compareRows(trx, job, { settings, formats });
  return true;
}

/** Whether a file has more than delimiters after the line of its header. */
async function hasTextAfterHeader(
  trx: Transaction<Database>,
  id: string,
  { headerRow, lineEnd }: StoredImport['settings'],
): Promise<boolean> {
  let line = 0;
  for await (const piece of textFrom(trx, id, 0))
    for (const part of piece.toString('latin1').split(lineEnd === 'cr' ? '\r' : '\n')) {
      line += 1;
      if (line > headerRow && /[^\s,;|"]/.test(part)) return true;
    }
  return false;
}

/** The number of a batch after those of the rows that were read before. */
async function nextBatch(trx: Transaction<Database>, id: string): Promise<number> {
  const { last } = await trx
    .selectFrom('import_row')
    .where('import_id', '=', id)
    .select((row) => row.fn.max('batch').as('last'))
    .executeTakeFirstOrThrow();
  return last === null ? 0 : last + 1;
}
