import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { ResourceName } from '../directory.ts';
import { readLimit } from '../resources/office-limit.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { FileFormats } from '../trpc/file-formats.ts';
import { skipRows, storeFindings } from './findings.ts';
import { readSome } from './read-step.ts';
import { findImport, type StoredImport, startStep } from './repository.ts';
import { checkBatch, writeBatch } from './rows-step.ts';

/** The job of an import, which is locked. */
export interface ImportJob {
  id: string;
  resource: ResourceName;
  next_batch: number;
  batches: number;
  office_ids: readonly string[] | null;
}

export interface RunImportOptions {
  cause: ChangeCause;
  defaultCountry: string;
  loadFileFormats: () => Promise<FileFormats>;
}

/** Ends a job that has done its last step. */
async function endJob(trx: Transaction<Database>, { id, now }: { id: string; now: Date }): Promise<void> {
  await sql`
    update job set finished_at = ${now}::timestamptz,
      status = case when rejected > 0 then 'completed_with_errors' else 'completed' end
    where id = ${id}`.execute(trx);
}

/** Whether nothing keeps an import from being written that no one has confirmed or skipped. */
export function isConfirmed(
  open: readonly string[],
  { confirmed, skipped }: Pick<StoredImport, 'confirmed' | 'skipped'>,
): boolean {
  return open.every((name) => confirmed.includes(name) || skipped.includes(name));
}

/** Ends the check: goes on to write if that is wanted and nothing is in the way, else ends the job. */
async function endCheck(
  trx: Transaction<Database>,
  { id, now, stored }: { id: string; now: Date; stored: StoredImport },
): Promise<void> {
  const open = await storeFindings(trx, id);
  if (!stored.is_write || !isConfirmed(open, stored)) return endJob(trx, { id, now });
  await skipRows(trx, { id, skipped: stored.skipped });
  await startStep(trx, { id, step: 'write' });
}

/**
 * Does the next part of an import, in the transaction that has locked its job: reads some rows, checks a batch, or writes one. What it
 * does and the progress are kept together or not at all.
 */
export async function runImport(
  trx: Transaction<Database>,
  { id, resource, next_batch: batch, batches, office_ids: officeIds }: ImportJob,
  { cause, defaultCountry, loadFileFormats }: RunImportOptions,
): Promise<void> {
  const stored = await findImport(trx, id);
  if (stored === undefined) throw new Error(`the job ${id} has no import`);
  const { now } = cause;
  const { step, settings } = stored;
  const formats = await loadFileFormats();
  if (step === 'read') {
    const isRead = await readSome(trx, { id, resource, now }, { ...stored, formats });
    if (isRead) await startStep(trx, { id, step: 'check' });
    return;
  }
  if (batch < batches) {
    // By the tree of the offices as it is now.
    const limit = officeIds === null ? undefined : await readLimit(trx, officeIds);
    const job = { id, resource, now, batch, cause, limit, defaultCountry };
    const reading = { settings, formats };
    if (step === 'check') await checkBatch(trx, job, reading);
    else await writeBatch(trx, job, { ...reading, confirmed: stored.confirmed });
  }
  if (batch + 1 < batches) return;
  if (step === 'check') await endCheck(trx, { id, now, stored });
  else await endJob(trx, { id, now });
}
