import type { RosterError } from '@roster/client';
import type { Batch, OutgoingRow } from './batches.ts';
import { checkDifferences, type Difference, type FieldFault } from './check-differences.ts';
import { type Counts, noCounts } from './counts.ts';
import { differenceOf, recordsById } from './existing-records.ts';
import type { ImportClient } from './import-client.ts';
import type { Importable } from './importable.ts';
import { fieldPathOf, type Headers, headerOf, type Input, type Row, type RowError } from './rows.ts';

/** The options of `sendBatch`. */
export interface SendOptions {
  client: ImportClient;
  importable: Importable;
  headers: Headers;
  /** Whether the service only checks the records. */
  isDryRun: boolean;
  /** Whether a record that its e-mail address alone led to may get another name. */
  acceptRenames: boolean;
  /** The idempotency key of a batch. */
  keyOf: (batch: Batch) => string;
}

/** The key that leads from a row to a record: one in its source, an id, or an e-mail address, of offices with the name. */
export type MatchedBy = 'source' | 'id' | 'email' | 'emailAndName';

/** The result for one row. */
export interface RowResult {
  sent: OutgoingRow;
  status: 'created' | 'updated' | 'unchanged' | 'rejected';
  /** The id of its record; null if it does not exist yet. */
  id: string | null;
  /** The key that led to a record that was there, also if the row is rejected; null if none did. */
  matchedBy: MatchedBy | null;
  /** The versions of what was written: the one before, null for a new record, and the one since; undefined if nothing was. */
  written?: { from: number | null; to: number };
  rowErrors: RowError[];
}

function rowErrorOf(
  { row, line }: OutgoingRow,
  column: string,
  { code, message }: { code: string; message: string },
): RowError {
  return { row, line, column, code, message };
}

/** The column of a field. The source of an office may come from the column with its id in another system. */
function columnOf(field: string, { headers, importable }: SendOptions): string {
  const column = headerOf(headers, field);
  return column === field && field === importable.officeSource
    ? headerOf(headers, importable.officeId)
    : column;
}

/** The record to check: without its main office if that is in the file, because it does not exist yet. */
function dryRunRecord({ record, main_row }: OutgoingRow, { officeSource }: Importable): Input {
  if (main_row === null) return record;
  const { [officeSource]: _, ...rest } = record;
  return rest;
}

/** Imports rows: in mode `upsert` each has a source, in mode `match` none has. */
async function sendToImport(
  rows: OutgoingRow[],
  options: SendOptions,
  { mode, key }: { mode: 'upsert' | 'match'; key: string },
): Promise<RowResult[]> {
  const { client, importable, isDryRun, acceptRenames } = options;
  if (rows.length === 0) return [];
  const records = rows.map((sent) => (isDryRun ? dryRunRecord(sent, importable) : sent.record));
  const results = await client.importRecords(records, {
    mode,
    dryRun: isDryRun,
    acceptRenames,
    ...(!isDryRun && { idempotencyKey: key }),
  });
  return results.map(({ index, status, id, version, matchedBy = null, error }): RowResult => {
    const sent = rows[index] as OutgoingRow;
    const rowErrors = (error?.errors ?? []).map(({ pointer, code, detail }) =>
      rowErrorOf(sent, columnOf(fieldPathOf(pointer), options), { code, message: detail }),
    );
    const { errorsOmitted = 0 } = error ?? {};
    if (errorsOmitted > 0) {
      const message = `and ${errorsOmitted.toLocaleString('en-US')} more errors`;
      rowErrors.push(rowErrorOf(sent, '', { code: 'more', message }));
    }
    const isWritten = !isDryRun && version !== null && (status === 'created' || status === 'updated');
    const written = isWritten && {
      written: { from: status === 'created' ? null : version - 1, to: version },
    };
    return { sent, status, id, matchedBy, ...written, rowErrors };
  });
}

/** Converts the error of one change to an error of its row; rethrows errors that are not specific to the row. */
function rejectedRow(sent: OutgoingRow, error: unknown, options: SendOptions): RowResult {
  const { name, status, code, detail, errors } = error as RosterError;
  const isOfRow = name === 'RosterError' && [400, 404, 409, 412, 422].includes(status);
  if (!isOfRow) throw error;
  const rowErrors = errors.map(({ pointer, code, detail }) =>
    rowErrorOf(sent, columnOf(pointer?.slice(2).replaceAll('/', '.') ?? '', options), {
      code,
      message: detail,
    }),
  );
  const whole = rowErrorOf(sent, '', { code: code, message: detail });
  return {
    sent,
    status: 'rejected',
    id: sent.id,
    matchedBy: sent.id === null ? null : 'id',
    rowErrors: rowErrors.length > 0 ? rowErrors : [whole],
  };
}

const versionOf = (record: Row) => Number(record.version);

/** Updates the records that are identified by their ids, if they differ. */
async function sendById(rows: OutgoingRow[], options: SendOptions): Promise<RowResult[]> {
  const { client, importable, headers, isDryRun } = options;
  const ids = rows.flatMap(({ id }) => id ?? []);
  const known = await recordsById(client, importable.name, ids);
  const send = async (sent: OutgoingRow): Promise<RowResult> => {
    const { id, record } = sent;
    const found = known.get(id ?? '');
    if (found === undefined) {
      const message = 'no record here has this id; for ids of another system name their source';
      const rowError = rowErrorOf(sent, headerOf(headers, 'id'), { code: 'not_found', message });
      return { sent, status: 'rejected', id: null, matchedBy: null, rowErrors: [rowError] };
    }
    const matched = { sent, id, matchedBy: 'id' as const, rowErrors: [] };
    const difference = differenceOf(record, found);
    if (difference === undefined) return { ...matched, status: 'unchanged' };
    if (isDryRun) {
      differences.push({ sent, difference, found });
      return { ...matched, status: 'updated' };
    }
    const changed = await client.change('update', { id, ifVersion: found.version, ...difference });
    if (changed.version === found.version) return { ...matched, status: 'unchanged' };
    const written = { from: versionOf(found), to: versionOf(changed) };
    return { ...matched, status: 'updated', written };
  };
  const results: RowResult[] = [];
  const differences: Difference[] = [];
  for (const sent of rows)
    results.push(await send(sent).catch((error: unknown) => rejectedRow(sent, error, options)));
  return isDryRun ? withFaults(results, await checkDifferences(differences, options), options) : results;
}

/** Results in which the rows whose differences have faults are rejected. */
function withFaults(
  results: RowResult[],
  faults: Map<number, FieldFault[]>,
  options: SendOptions,
): RowResult[] {
  return results.map((result) => {
    const found = faults.get(result.sent.row);
    if (found === undefined) return result;
    const rowErrors = found.map(({ field, code, message }) =>
      rowErrorOf(result.sent, columnOf(field, options), { code, message }),
    );
    return { ...result, status: 'rejected', rowErrors };
  });
}

/** Deactivates or reactivates records to match their rows. New records are active. */
async function applyStatus(results: RowResult[], options: SendOptions): Promise<RowResult[]> {
  const { client, importable, isDryRun } = options;
  const asked = results.filter(({ sent, status, id }) => sent.status && status !== 'rejected' && id !== null);
  const existing = asked.flatMap(({ status, id }) => (status === 'created' ? [] : (id ?? [])));
  const known = await recordsById(client, importable.name, existing);
  const settled: RowResult[] = [];
  for (const result of results) {
    const { sent, id, status, written } = result;
    const found = known.get(id ?? '');
    const now = status === 'created' ? 'active' : found?.status;
    if (!asked.includes(result) || now === sent.status) {
      settled.push(result);
      continue;
    }
    const operation = sent.status === 'inactive' ? 'deactivate' : 'reactivate';
    const done: RowResult = { ...result, status: status === 'unchanged' ? 'updated' : status };
    if (isDryRun) settled.push(done);
    else
      settled.push(
        await client.change(operation, { id }).then(
          (changed): RowResult => {
            const from = written === undefined ? versionOf(changed) - 1 : written.from;
            return { ...done, written: { from, to: versionOf(changed) } };
          },
          // The fields may be written already.
          (error: unknown) => ({
            ...rejectedRow(sent, error, options),
            id,
            matchedBy: result.matchedBy,
            ...(written && { written }),
          }),
        ),
      );
  }
  return settled;
}

/** Whether a row has neither a key nor an id. */
const isKeyless = ({ source, id }: OutgoingRow) => source === null && id === null;

function countsOf(results: readonly RowResult[]): Counts {
  const counts = { ...noCounts };
  for (const { sent, status } of results) {
    counts[status] += 1;
    if (!isKeyless(sent) || status === 'rejected') continue;
    if (status !== 'created') counts.matchedByEmail += 1;
    else {
      counts.createdWithoutKey += 1;
      if (typeof sent.record.email !== 'string') counts.createdWithoutEmail += 1;
    }
  }
  return counts;
}

/** Sends a batch. Resolves to the counts, the results and the errors of its rows. */
export async function sendBatch(
  batch: Batch,
  options: SendOptions,
): Promise<{ counts: Counts; results: RowResult[]; rowErrors: RowError[] }> {
  const key = options.keyOf(batch);
  const [sourced, named, keyless] = [
    batch.rows.filter(({ source }) => source !== null),
    batch.rows.filter(({ source, id }) => source === null && id !== null),
    batch.rows.filter(isKeyless),
  ];
  const results = await applyStatus(
    [
      ...(await sendToImport(sourced, options, { mode: 'upsert', key })),
      ...(await sendById(named, options)),
      ...(await sendToImport(keyless, options, { mode: 'match', key: `${key}-match` })),
    ],
    options,
  );
  return { counts: countsOf(results), results, rowErrors: results.flatMap(({ rowErrors }) => rowErrors) };
}
