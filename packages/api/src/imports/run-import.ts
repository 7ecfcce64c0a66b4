import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { definitionOf, type ResourceName } from '../directory/registry.ts';
import { readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import {
  endBatches,
  findOpen,
  startStep,
  startWriting,
  storeFindings,
  updateLookAlikes,
} from './count-rows.ts';
import { readSome, rereadSome } from './read-rows.ts';
import { checkBatch, writeBatch } from './run-batch.ts';
import { findImport, type StoredImport } from './stored-import.ts';

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
  /** The default country of phone numbers that the environment sets; undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
  /** Other connections than that of the transaction. */
  db: Kysely<Database>;
}

/** The batches that are checked, or written, at the same time, each on a connection of its own: half of those that the workers have. */
const BATCHES_AT_ONCE = 2;

/** Ends a job that has done its last step. */
async function endJob(trx: Transaction<Database>, { id, now }: { id: string; now: Date }): Promise<void> {
  await sql`
    update job set finished_at = ${now},
      status = case when rejected > 0 then 'completed_with_errors' else 'completed' end
    where id = ${id}`.execute(trx);
}

/** Ends the check: starts to write if that is wanted and nothing keeps the import from it, else ends the job. */
async function endCheck(
  trx: Transaction<Database>,
  { id, resource, now }: { id: string; resource: ResourceName; now: Date },
): Promise<void> {
  const { settings, updatesLookAlikes } = await requireImport(trx, id);
  if (updatesLookAlikes && (await updateLookAlikes(trx, id))) return;
  const { hasKeyColumn } = await import('./file-format.ts');
  await storeFindings(trx, { id, hasKeyColumn: hasKeyColumn(settings) });
  const checked = await requireImport(trx, id);
  if (checked.is_write && findOpen(checked).length === 0)
    return startWriting(trx, { id, skip: checked.skip, isTree: isTree(resource) });
  await endJob(trx, { id, now });
}

const isTree = (resource: ResourceName) => definitionOf(resource).parent?.isTree === true;

async function requireImport(trx: Transaction<Database>, id: string): Promise<StoredImport> {
  const stored = await findImport(trx, id);
  if (stored === undefined) throw new Error(`the job ${id} has no import`);
  return stored;
}

/**
 * Chooses how many of the next batches of an import run at the same time: one if the order of their records matters, because these are
 * below each other, or one record is of several rows.
 */
async function chooseCount(
  trx: Transaction<Database>,
  { id, resource, next_batch: first, batches }: ImportJob,
): Promise<number> {
  const count = Math.min(BATCHES_AT_ONCE, batches - first);
  if (count < 2 || isTree(resource)) return Math.min(count, 1);
  const { rows } = await sql`
    select from import_row
    where import_id = ${id} and batch between ${first} and ${first + count - 1} and subject_id is not null
    group by subject_id having count(*) > 1 limit 1`.execute(trx);
  return rows.length > 0 ? 1 : count;
}

type RunBatch = (trx: Transaction<Database>, batch: number) => Promise<void>;

/**
 * Runs batches at the same time, the first in the transaction that has locked the job, each other one in a transaction of its own, and
 * returns how many of the first ones have succeeded. Rejects if the first does not; of the others a later call finds the error.
 */
async function runAtOnce(
  trx: Transaction<Database>,
  db: Kysely<Database>,
  { first, count, run }: { first: number; count: number; run: RunBatch },
): Promise<number> {
  const others = Array.from({ length: count - 1 }, (_, index) =>
    db.transaction().execute((own) => run(own, first + index + 1)),
  );
  const [result, ...results] = await Promise.allSettled([run(trx, first), ...others]);
  if (result.status === 'rejected') throw result.reason;
  const failed = results.findIndex(({ status }) => status === 'rejected');
  return failed === -1 ? count : failed + 1;
}

/**
 * Does the next part of an import, in the transaction that has locked its job: reads some rows, or checks or writes some batches. What a
 * batch does is kept together or not at all, and so is the progress; a batch that was written is not written again.
 */
export async function runImport(
  trx: Transaction<Database>,
  imported: ImportJob,
  { cause, defaultCountry, db }: RunImportOptions,
): Promise<void> {
  const { id, resource, next_batch: first, batches, office_ids: officeIds } = imported;
  const stored = await requireImport(trx, id);
  const { now } = cause;
  const { step, settings, acceptWarnings } = stored;
  const formats = await import('./file-format.ts');
  if (step === 'read') {
    const isRead = await readSome(trx, { id, resource, now }, { ...stored, formats });
    if (isRead) await startStep(trx, { id, step: 'check' });
    return;
  }
  if (step === 'check' && (await rereadSome(trx, { id, resource, now }, { settings, formats }))) return;
  let done = first;
  if (first < batches) {
    // By the tree of the offices as it is now.
    const limit = officeIds === null ? undefined : await readLimit(trx, officeIds);
    const job = { id, resource, now, cause, limit, defaultCountry, named: settings.phoneCountry };
    const reading = { settings, formats, acceptWarnings };
    const runBatch = step === 'check' ? checkBatch : writeBatch;
    const run: RunBatch = (own, batch) => runBatch(own, { ...job, batch }, reading);
    const count = await runAtOnce(trx, db, { first, count: await chooseCount(trx, imported), run });
    await endBatches(trx, { id, step, first, count });
    done += count;
  }
  if (done < batches) return;
  await (step === 'check' ? endCheck : endJob)(trx, { id, resource, now });
}
