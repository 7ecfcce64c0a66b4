import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { definitionOf, type ResourceName } from '../directory.ts';
import { readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { type Counts, checkBatch, countRows, writeBatch } from './batch.ts';
import { type Import, type ImportFindings, MANY, type Suspicion, suspicions } from './file-schemas.ts';
import { findImport, type StoredImport, startStep } from './job-repository.ts';
import { readSome } from './read.ts';

/** Counts the rows of an import by what the check says of them. */
async function countFindings(trx: Transaction<Database>, id: string): Promise<ImportFindings> {
  const { rows } = await sql<ImportFindings>`
    select
      (
        select coalesce(json_object_agg(field, count order by field), '{}') from (
          select field, count(*)::int as count from import_row cross join unnest(cleared) as field
          where import_id = ${id} and outcome <> 'rejected' group by field
        ) as counted
      ) as "clearedFields",
      count(*) filter (where outcome <> 'rejected' and 'clears' = any(suspicious))::int as clears,
      count(*) filter (where outcome = 'created')::int as created,
      count(*) filter (where outcome = 'updated')::int as updated,
      count(*) filter (where outcome = 'unchanged')::int as unchanged,
      count(*) filter (where outcome = 'rejected')::int as rejected,
      count(*) filter (where outcome <> 'rejected' and 'renames' = any(suspicious))::int as renames,
      count(*) filter (where outcome <> 'rejected' and 'damaged' = any(suspicious))::int as damaged,
      count(*) filter (where outcome <> 'rejected' and 'moves' = any(suspicious))::int as moves,
      count(*) filter (where outcome <> 'rejected' and 'deactivations' = any(suspicious))::int as deactivations,
      count(*) filter (where outcome = 'created' and source is null and record_id is null)::int as "createdWithoutKey",
      count(*) filter (
        where outcome = 'created' and source is null and record_id is null and record ->> 'email' is null and item_rows is null
      )::int as "createdWithoutEmail",
      count(*) filter (
        where outcome in ('updated', 'unchanged') and matched_by in ('email', 'emailAndName', 'name')
      )::int as "matchedByEmail",
      count(*) filter (where outcome = 'created' and json_array_length(look_alikes) > 0)::int as "lookAlikes",
      (select coalesce(json_agg(json_build_object('country', country, 'rows', rows) order by rows desc, country), '[]') from (
        select phone_country as country, count(*)::int as rows from import_row
        where import_id = ${id} and phone_country is not null group by phone_country
      ) as counted) as "phoneCountries"
    from import_row where import_id = ${id}`.execute(trx);
  return rows[0] as ImportFindings;
}

/** The suspicions that one row is enough for. */
const ofOneRow: ReadonlySet<Suspicion> = new Set(['renames', 'clears', 'damaged']);

/** The suspicions with enough rows. */
function suspicionsIn(findings: ImportFindings): Suspicion[] {
  const { created, updated, unchanged, rejected } = findings;
  const many = Math.max(MANY.count, MANY.share * (created + updated + unchanged + rejected));
  return suspicions.filter((name) => findings[name] >= (ofOneRow.has(name) ? 1 : many));
}

/** Stores what the check of an import says, and returns it with what must be confirmed or skipped before it is written (`open`). */
async function storeFindings(
  trx: Transaction<Database>,
  id: string,
): Promise<{ findings: ImportFindings; open: Import['unconfirmed'] }> {
  const findings = await countFindings(trx, id);
  const open = [...(findings.rejected > 0 ? (['rejected'] as const) : []), ...suspicionsIn(findings)];
  await trx
    .updateTable('import')
    .set({ findings: JSON.stringify(findings), unconfirmed: open })
    .where('id', '=', id)
    .execute();
  return { findings, open };
}

/** Leaves out the rows that are suspicious in one of some ways, or look like an existing record. */
export async function skipRows(
  trx: Transaction<Database>,
  { id, skipped }: { id: string; skipped: readonly string[] },
): Promise<void> {
  if (skipped.every((name) => name === 'rejected')) return;
  const isAlike = sql`outcome = 'created' and json_array_length(look_alikes) > 0`;
  const areAlikeSkipped = sql.lit(skipped.includes('lookAlikes'));
  await sql`
    update import_row set outcome = 'skipped'
    where import_id = ${id} and outcome <> 'rejected'
      and (suspicious && ${skipped}::text[] or (${areAlikeSkipped} and ${isAlike}))`.execute(trx);
}

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

/** The numbers of a job by the outcomes of rows: a check changes nothing. */
function numbersOf({ created, updated, unchanged, rejected }: Counts, step: StoredImport['step']) {
  return step === 'write'
    ? { created, changed: created + updated, unchanged, rejected }
    : { created: 0, changed: 0, unchanged: created + updated + unchanged, rejected };
}

/** Ends a job that has done its last step, with the numbers of its rows. */
async function endJob(
  trx: Transaction<Database>,
  { id, now, step, counts }: { id: string; now: Date; step: StoredImport['step']; counts: Counts },
): Promise<void> {
  const { created, ...numbers } = numbersOf(counts, step);
  const status = numbers.rejected > 0 ? 'completed_with_errors' : 'completed';
  await trx
    .updateTable('job')
    .set({ ...numbers, status, finished_at: now })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('import').set({ created }).where('id', '=', id).execute();
}

/** Whether nothing keeps an import from being written that no one has confirmed or skipped. */
export function isConfirmed(
  open: readonly string[],
  { confirmed, skipped }: Pick<StoredImport, 'confirmed' | 'skipped'>,
): boolean {
  return open.every((name) => confirmed.includes(name) || skipped.includes(name));
}

/** Ends the check: starts to write if that is wanted and nothing must be confirmed, else ends the job. */
async function endCheck(
  trx: Transaction<Database>,
  { id, now, stored }: { id: string; now: Date; stored: StoredImport },
): Promise<void> {
  const { findings, open } = await storeFindings(trx, id);
  if (!stored.is_write || !isConfirmed(open, stored))
    return endJob(trx, { id, now, step: 'check', counts: findings });
  await skipRows(trx, { id, skipped: stored.skipped });
  await startStep(trx, { id, step: 'write' });
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
  if (count < 2 || definitionOf(resource).parent?.isTree) return Math.min(count, 1);
  const { rows } = await sql`
    select from import_row
    where import_id = ${id} and batch between ${first} and ${first + count - 1} and subject_id is not null
    group by subject_id having count(*) > 1 limit 1`.execute(trx);
  return rows.length > 0 ? 1 : count;
}

type RunBatch = (trx: Transaction<Database>, batch: number) => Promise<Counts>;

/**
 * Runs batches at the same time, the first in the transaction that has locked the job, each other one in a transaction of its own, and
 * returns the results of the first ones that succeed. Rejects if the first does not; of the others a later call finds the error.
 */
async function runAtOnce(
  trx: Transaction<Database>,
  db: Kysely<Database>,
  { first, count, run }: { first: number; count: number; run: RunBatch },
): Promise<Counts[]> {
  const others = Array.from({ length: count - 1 }, (_, index) =>
    db.transaction().execute((own) => run(own, first + index + 1)),
  );
  const [result, ...results] = await Promise.allSettled([run(trx, first), ...others]);
  if (result.status === 'rejected') throw result.reason;
  const failed = results.findIndex(({ status }) => status === 'rejected');
  const succeeded = [result, ...(failed === -1 ? results : results.slice(0, failed))];
  return succeeded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function addProgress(
  trx: Transaction<Database>,
  { id, step, results }: { id: string; step: StoredImport['step']; results: readonly Counts[] },
): Promise<void> {
  const numbers = results.map((counts) => numbersOf(counts, step));
  const sum = (name: keyof (typeof numbers)[number]) => numbers.reduce((total, one) => total + one[name], 0);
  await trx
    .updateTable('import')
    .set((row) => ({ created: row('created', '+', sum('created')) }))
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('job')
    .set((row) => ({
      changed: row('changed', '+', sum('changed')),
      unchanged: row('unchanged', '+', sum('unchanged')),
      rejected: row('rejected', '+', sum('rejected')),
      next_batch: row('next_batch', '+', results.length),
      worked_at: sql`clock_timestamp()`,
    }))
    .where('id', '=', id)
    .execute();
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
  const stored = await findImport(trx, id);
  if (stored === undefined) throw new Error(`the job ${id} has no import`);
  const { now } = cause;
  const { step, settings, confirmed } = stored;
  const formats = await import('./parse.ts');
  if (step === 'read') {
    const isRead = await readSome(trx, { id, resource, now }, { ...stored, formats });
    if (isRead) await startStep(trx, { id, step: 'check' });
    return;
  }
  let done = first;
  if (first < batches) {
    // By the tree of the offices as it is now.
    const limit = officeIds === null ? undefined : await readLimit(trx, officeIds);
    const job = { id, resource, now, cause, limit, defaultCountry, named: settings.phoneCountry };
    const reading = { settings, formats, confirmed };
    const runBatch = step === 'check' ? checkBatch : writeBatch;
    const run: RunBatch = (own, batch) => runBatch(own, { ...job, batch }, reading);
    const results = await runAtOnce(trx, db, { first, count: await chooseCount(trx, imported), run });
    await addProgress(trx, { id, step, results });
    done += results.length;
  }
  if (done < batches) return;
  if (step === 'check') await endCheck(trx, { id, now, stored });
  else await endJob(trx, { id, now, step, counts: await countRows(trx, { id }) });
}
