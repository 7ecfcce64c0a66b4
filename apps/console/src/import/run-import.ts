import { createRosterClient } from '@roster/client';
import {
  eachBatch,
  IMPORT_TIMEOUT_MS,
  importClientOf,
  type RowError,
  type RowResult,
  sendBatch,
} from '@roster/import';
import { updateImport } from './documents.ts';
import { importables } from './importables.ts';
import { clearRows, readBatch } from './journal.ts';
import { showRun, startRun, withPatience } from './run-state.ts';
import type {
  CellError,
  FaultyRow,
  ImportDocument,
  JournalBatch,
  JournalRow,
  MatchedRow,
  RowCounts,
  WrittenRow,
} from './types.ts';
import { runTask } from './worker/worker-client.ts';

/** Calls at the same time: enough that the service always has one to do, and few enough for the quota of the caller. */
const IN_FLIGHT_MAX = 2;

/** The service knows an idempotency key for 24 hours. After that a batch that may have been written is not sent again as it is. */
const KEY_LIFE_MS = 23 * 60 * 60 * 1_000;

const noRows: RowCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };

function sum(one: RowCounts, other: RowCounts): RowCounts {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    rejected: one.rejected + other.rejected,
  };
}

function clientOf({ resource }: ImportDocument, signal: AbortSignal) {
  // Its own retries are few, because the run repeats what fails, and says so.
  const client = createRosterClient({ url: window.location.origin, timeoutMs: IMPORT_TIMEOUT_MS });
  return importClientOf(client, resource, signal);
}

/** The rows that were rejected, each with its errors. */
function faultyRows(batch: JournalBatch, rowErrors: readonly RowError[]): FaultyRow[] {
  const byRow = new Map<number, CellError[]>();
  for (const { row, column, code, message } of rowErrors)
    byRow.set(row, [...(byRow.get(row) ?? []), { column, code, message }]);
  return batch.rows.flatMap(({ row, line, cells }) => {
    const errors = byRow.get(row);
    return errors === undefined ? [] : [{ importId: batch.importId, row, line, cells, errors }];
  });
}

/** The batches of an import, one after the other, whose numbers are in a list. */
async function* batchesOf(id: string, numbers: readonly number[]): AsyncGenerator<JournalBatch> {
  for (const number of numbers) {
    const batch = await readBatch(id, number);
    if (batch !== undefined) yield batch;
  }
}

const writtenRow = ({ sent: { row }, id, written }: RowResult): WrittenRow[] =>
  id === null || written === undefined ? [] : [{ row, id, ...written }];

/** Sends rows of a batch, or has them checked. */
async function send(
  document: ImportDocument,
  { number, level }: JournalBatch,
  { rows, isDryRun, signal }: { rows: JournalRow[]; isDryRun: boolean; signal: AbortSignal },
) {
  const { id, resource, acceptRenames = false } = document;
  // What was sent is answered, also if someone stops the import: else it would not be known what was written.
  const client = clientOf(document, isDryRun ? signal : new AbortController().signal);
  const sent = rows.map(({ cells: _, ...row }) => row);
  const options = {
    client,
    importable: importables[resource],
    headers: new Map(document.headers),
    isDryRun,
    acceptRenames,
    keyOf: () => `${id}-${number}`,
  };
  return withPatience(id, signal, () => sendBatch({ number, level, rows: sent }, options));
}

/** Reads the file into batches, unless it was read before. */
async function readFile(document: ImportDocument, signal: AbortSignal): Promise<ImportDocument> {
  const { id, file, resource, inspection, mapping } = document;
  if (document.isRead) return document;
  if (file === undefined) throw new Error('The file is not kept any more. Drop it again.');
  await clearRows(id);
  const prepared = await runTask(
    'prepare',
    { file, described: { id, resource, inspection, mapping } },
    { signal, onProgress: (readRows) => showRun(id, { readRows }) },
  );
  showRun(id, {});
  return updateImport(id, () => ({
    ...prepared,
    isRead: true,
    checkedBatches: 0,
    renames: 0,
    checked: { ...noRows, rejected: prepared.rejected },
  }));
}

/** Checks all rows, in this page and at the service, which writes nothing. It continues a check that was interrupted. */
export function checkImport(document: ImportDocument): Promise<void> {
  const { id } = document;
  return startRun(id, async (signal) => {
    await updateImport(id, () => ({ stage: 'checking' }));
    const read = await readFile(document, signal);
    await eachBatch(batchesOf(id, read.batches), IN_FLIGHT_MAX, async (batch) => {
      if (batch.excluded !== undefined) return;
      signal.throwIfAborted();
      const { rows } = batch;
      const { counts, results, rowErrors } = await send(read, batch, { rows, isDryRun: true, signal });
      const excluded = results.filter(({ status }) => status === 'rejected').map(({ sent }) => sent.row);
      const matched = results.map(({ sent: { row }, matchedBy, id }): MatchedRow => ({ row, matchedBy, id }));
      await updateImport(
        id,
        ({ checkedBatches, checked, renames = 0 }) => ({
          checkedBatches: checkedBatches + 1,
          renames: renames + rowErrors.filter(({ code }) => code === 'name_differs').length,
          checked: sum(checked, counts),
        }),
        { batch: { ...batch, excluded, matched }, faulty: faultyRows(batch, rowErrors) },
      );
    });
    signal.throwIfAborted();
    await updateImport(id, () => ({ stage: 'checked' }));
  });
}

/** Rows of a batch that was sent so long ago that it cannot be repeated, and that could be created twice. */
function doubtfulRows({ sentAt }: JournalBatch, rows: readonly JournalRow[]): JournalRow[] {
  if (sentAt === undefined || Date.now() - sentAt < KEY_LIFE_MS) return [];
  return rows.filter(
    ({ source, id, record }) => source === null && id === null && typeof record.email !== 'string',
  );
}

const doubt = {
  column: '',
  code: 'unknown_outcome',
  message:
    'was sent more than 23 hours ago without an answer: look whether the record is there before you import it again',
};

/**
 * Writes the rows that the check has accepted, in batches with idempotency keys, so that each is written once, however often it is
 * sent. It continues an import that was interrupted: by a reload, a stop, or a service that was away.
 */
export function applyImport({ id }: ImportDocument): Promise<void> {
  return startRun(id, async (signal) => {
    const document = await updateImport(id, () => ({ stage: 'applying' }));
    await eachBatch(batchesOf(id, document.batches), IN_FLIGHT_MAX, async (batch) => {
      if (batch.written !== undefined) return;
      signal.throwIfAborted();
      const excluded = new Set(batch.excluded);
      const accepted = batch.rows.filter(({ row }) => !excluded.has(row));
      const doubtful = doubtfulRows(batch, accepted);
      const rows = accepted.filter((row) => !doubtful.includes(row));
      const sentBatch = { ...batch, sentAt: batch.sentAt ?? Date.now() };
      await updateImport(id, () => ({}), { batch: sentBatch });
      const { counts, results, rowErrors } = await send(document, batch, { rows, isDryRun: false, signal });
      const doubts = doubtful.map(({ row, line, cells }) => ({
        importId: id,
        row,
        line,
        cells,
        errors: [doubt],
      }));
      await updateImport(
        id,
        ({ appliedBatches, applied }) => ({
          appliedBatches: appliedBatches + 1,
          applied: sum(applied, { ...counts, rejected: counts.rejected + doubtful.length }),
        }),
        {
          batch: { ...sentBatch, written: results.flatMap(writtenRow) },
          faulty: [...faultyRows(batch, rowErrors), ...doubts],
        },
      );
    });
    signal.throwIfAborted();
    await updateImport(id, ({ file: _, ...rest }) => ({ ...rest, stage: 'applied' }));
  });
}
