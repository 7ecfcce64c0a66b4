import { type Job, RosterError } from '@roster/client';
import { roster } from '../api/client.ts';
import type { ResourceName } from '../contract/contracts.ts';
import { callsOf } from '../resources/record-calls.ts';
import { updateImport } from './documents.ts';
import { readBatch } from './journal.ts';
import { startRun, withPatience } from './run-state.ts';
import type { CellError, FaultyRow, ImportDocument, WrittenRow } from './types.ts';

/** Records in one call: the limit of the service. */
const IDS_MAX = 200;
const POLL_MS = 300;

const reason = 'Undo of an import';

function leftBecause(code: string, message: string): CellError {
  return { column: '', code, message };
}

const changedSince = leftBecause('version_conflict', 'was changed since the import, and stays as it is');

async function waitForJob(job: Job, signal: AbortSignal): Promise<Job> {
  let current = job;
  while (current.finishedAt === null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    current = await roster.jobs.get.query({ id: job.id }, { signal });
  }
  return current;
}

/** Starts a job that deletes some records. */
async function startDeletion(resource: ResourceName, ids: string[]): Promise<Job> {
  const input = { filter: { ids }, change: { type: 'delete' as const }, expectedCount: ids.length, reason };
  return (await callsOf(resource).bulk.mutate(input)) as Job;
}

/** Deletes the records that an import has created, unless they were changed since. Answers why some stay, by id. */
async function deleteCreated(
  resource: ResourceName,
  created: readonly WrittenRow[],
  signal: AbortSignal,
): Promise<Map<string, CellError>> {
  const left = new Map<string, CellError>();
  for (let at = 0; at < created.length; at += IDS_MAX) {
    const some = created.slice(at, at + IDS_MAX);
    const query = { ids: some.map(({ id }) => id), limit: IDS_MAX };
    const { items } = await callsOf(resource).list.query(query, { signal });
    const versions = new Map(items.map(({ id, version }) => [id, version]));
    // One that is not there any more is as it was before the import.
    const there = some.filter(({ id }) => versions.has(id));
    const same = there.filter(({ id, to }) => versions.get(id) === to).map(({ id }) => id);
    for (const { id } of there) if (!same.includes(id)) left.set(id, changedSince);
    if (same.length === 0) continue;
    const job = await waitForJob(await startDeletion(resource, same), signal);
    if (job.rejected === 0) continue;
    for (let cursor: string | undefined; ; ) {
      const page = await roster.jobs.errors.query(
        { id: job.id, limit: IDS_MAX, ...(cursor && { cursor }) },
        { signal },
      );
      for (const { id, code, detail } of page.items) left.set(id, leftBecause(code, detail));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
  }
  return left;
}

async function setStatus(
  resource: ResourceName,
  { isActive, ...record }: { id: string; ifVersion: number; isActive: boolean },
): Promise<void> {
  const input = { ...record, reason };
  const procedure = isActive ? 'reactivate' : 'deactivate';
  await callsOf(resource)[procedure].mutate(input);
}

/** Reverts a record to the version before the import; undefined if it is, else why it stays. */
async function revertUpdated(
  resource: ResourceName,
  importId: string,
  { row, id, from, to }: WrittenRow,
): Promise<CellError | undefined> {
  const input = { id, toVersion: from ?? 1, ifVersion: to, reason };
  const options = { context: { idempotencyKey: `${importId}-undo-${row}` } };
  try {
    const { version, notReverted } = await callsOf(resource).revert.mutate(input, options);
    // A revert writes what callers can write; the status has changes of its own.
    const status = notReverted.find(({ field }) => field === 'status');
    if (status !== undefined)
      await setStatus(resource, { id, ifVersion: version, isActive: status.after === 'active' });
    return undefined;
  } catch (error) {
    if (!(error instanceof RosterError) || ![404, 409, 412, 422].includes(error.status)) throw error;
    return error.code === 'version_conflict' ? changedSince : leftBecause(error.code, error.message);
  }
}

/**
 * Undoes an import, its last rows first: new records are deleted, changed ones get their previous values. A record that was changed
 * since stays as it is and is listed, like one that others refer to. It continues an undo that was interrupted.
 */
export function undoImport({ id }: ImportDocument): Promise<void> {
  return startRun(id, async (signal) => {
    const document = await updateImport(id, () => ({ stage: 'undoing' }));
    const { resource, undoneBatches } = document;
    for (const number of document.batches.toReversed().slice(undoneBatches)) {
      signal.throwIfAborted();
      const batch = await readBatch(id, number);
      const written = batch?.written?.toReversed() ?? [];
      const created = written.filter(({ from }) => from === null);
      const left = await withPatience(id, signal, () => deleteCreated(resource, created, signal));
      for (const row of written.filter(({ from }) => from !== null)) {
        signal.throwIfAborted();
        const why = await withPatience(id, signal, () => revertUpdated(resource, id, row));
        if (why !== undefined) left.set(row.id, why);
      }
      const byRow = new Map(batch?.rows.map((row) => [row.row, row]));
      const faulty = written.flatMap(({ row, id: recordId }): FaultyRow[] => {
        const why = left.get(recordId);
        const { line = 0, cells = [] } = byRow.get(row) ?? {};
        return why === undefined ? [] : [{ importId: id, row, line, cells, errors: [why] }];
      });
      await updateImport(
        id,
        ({ undone }) => ({
          undoneBatches: undoneBatchesAfter(document, number),
          undone: { done: undone.done + written.length - left.size, left: undone.left + left.size },
        }),
        { faulty },
      );
    }
    await updateImport(id, () => ({ stage: 'undone' }));
  });
}

/** How many batches are undone when this one is: they are undone from the last to the first. */
function undoneBatchesAfter({ batches }: ImportDocument, number: number): number {
  return batches.length - batches.indexOf(number);
}
