import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { checkCreationLimit, checkNumber } from '../access/creation-limits.ts';
import { checkScopes, chooseNames } from '../access/scopes.ts';
import { definitionOf } from '../directory/registry.ts';
import { noRecordError } from '../engine/list/find-record.ts';
import { listPage, type Page } from '../engine/list/list-records.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { Job } from '../jobs/schemas.ts';
import { cancelJob, findUndo, type LockedJob, lockOwnJob, undoJob } from '../jobs/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { updateLookAlikes as checkLookAlikes, correctCells, findOpen, startWriting } from './count-rows.ts';
import type {
  Import,
  ImportCorrected,
  ImportCorrections,
  ImportError,
  ImportErrorGroups,
  ImportErrorQuery,
  ImportQuery,
  ImportRow,
  ImportRowQuery,
  ImportWrite,
} from './schemas.ts';
import {
  findCorrections,
  findImport,
  hasItemRows,
  importErrors,
  importRows,
  imports,
  readImport,
  resumeStep,
  type StoredImport,
} from './stored-import.ts';

/** Reads one import. Throws `not_found`, `insufficient_scope`. */
export async function getImport(ctx: CallContext, id: string): Promise<Import> {
  const found = await readImport(ctx, id);
  checkScopes(ctx.caller, [`${found.resource}:read`]);
  return found;
}

/** Lists imports of the resources that the caller may read. Throws `insufficient_scope` if the query names a different one. */
export async function listImports(
  ctx: CallContext,
  { resource, ...query }: ImportQuery,
): Promise<Page<Import>> {
  const input = {
    ...query,
    resource: chooseNames(ctx.caller, resource, 'read'),
    isImport: true as const,
  };
  return listPage(ctx.db, { resource: imports, input, limit: ctx.limit });
}

/** Lists the rows of an import with their outcomes. Throws `not_found`, `insufficient_scope`. */
export async function listImportRows(
  ctx: CallContext,
  { id, ...query }: ImportRowQuery,
): Promise<Page<ImportRow>> {
  await getImport(ctx, id);
  const input = { ...query, sort: 'createdAt', importId: id };
  return listPage(ctx.db, { resource: importRows, input, limit: undefined });
}

/** Lists the errors of an import. Throws `not_found`, `insufficient_scope`. */
export async function listImportErrors(
  ctx: CallContext,
  { id, ...query }: ImportErrorQuery,
): Promise<Page<ImportError>> {
  await getImport(ctx, id);
  const input = { ...query, sort: 'createdAt', importId: id };
  return listPage(ctx.db, { resource: importErrors, input, limit: undefined });
}

/** The error of an import whose check found what is neither accepted nor skipped. */
function notAcceptedError(open: readonly string[]): RosterError {
  const errors = open.map((name) => ({
    pointer: name === 'errors' ? '#/skip' : '#/acceptWarnings',
    code: 'required',
    detail: `must include "${name}", because the check found such rows`,
  }));
  return new RosterError(
    'import_not_accepted',
    'Some rows have errors or warnings that the request does not accept.',
    { errors },
  );
}

/** Locks an import that the caller may change, with its job. Throws `not_found`, `insufficient_scope`. */
async function lockOwnImport(
  trx: Transaction<Database>,
  ctx: CallContext,
  id: string,
): Promise<{ job: LockedJob; stored: StoredImport }> {
  const job = await lockOwnJob(trx, ctx, id);
  const stored = await findImport(trx, id);
  if (stored === undefined) throw noRecordError(imports, id);
  return { job, stored };
}

/** Throws `import_undone` of an import that was undone, or is. */
async function checkNotUndone(trx: Transaction<Database>, id: string): Promise<void> {
  if ((await findUndo(trx, id)) !== undefined)
    throw new RosterError('import_undone', 'What the import wrote was undone by a job.');
}

/**
 * Continues an ended job of an import. Locks the number of unfinished jobs until the transaction ends. Throws
 * `limit_reached`.
 */
async function goOn(trx: Transaction<Database>, ctx: CallContext, start: () => Promise<void>): Promise<void> {
  await checkNumber(trx, 'jobs', ctx);
  await start();
  await checkCreationLimit(trx, 'jobs', ctx, { created: 1 });
}

/**
 * Writes an import whose check has ended, or resumes one that was cancelled or has failed. Has no effect on one that is being written, or is
 * written. Throws `not_found`, `insufficient_scope`, `job_not_finished` while it is checked,
 * `import_not_accepted`, `import_undone`, `limit_reached`.
 */
export async function writeImport(
  ctx: CallContext,
  { id, acceptWarnings = [], skip = [], updateLookAlikes = false }: ImportWrite,
): Promise<Import> {
  return inTransaction(ctx.db, async (trx) => {
    const { job, stored } = await lockOwnImport(trx, ctx, id);
    const own = { db: trx, limit: ctx.limit };
    const isRunning = job.status === 'queued' || job.status === 'running';
    if (isRunning && stored.step !== 'write')
      throw new RosterError('job_not_finished', `The import is ${job.status}.`);
    const isEnded = job.status === 'completed' || job.status === 'completed_with_errors';
    if (isRunning || (isEnded && stored.step === 'write')) return readImport(own, id);
    await checkNotUndone(trx, id);
    const said = {
      acceptWarnings: [...new Set([...stored.acceptWarnings, ...acceptWarnings])],
      skip: [...new Set([...stored.skip, ...skip])],
    };
    // Rows that update what they certainly are have other warnings then.
    const isCheckedAgain = isEnded && updateLookAlikes && (stored.findings?.certainLookAlikes ?? 0) > 0;
    const open = isEnded ? findOpen({ ...stored, ...said }) : [];
    if (open.length > 0) throw notAcceptedError(open);
    await goOn(trx, ctx, async () => {
      await trx
        .updateTable('import')
        .set({
          is_write: true,
          accept_warnings: said.acceptWarnings,
          skip: said.skip,
          updates_look_alikes: updateLookAlikes || stored.updatesLookAlikes,
        })
        .where('id', '=', id)
        .execute();
      if (!isEnded) return resumeStep(trx, id);
      if (isCheckedAgain && (await checkLookAlikes(trx, id))) return;
      const isTree = definitionOf(job.resource).parent?.isTree === true;
      await startWriting(trx, { id, skip: said.skip, isTree });
    });
    return readImport(own, id);
  });
}

/** Reads what was said of an import. */
async function readStored(ctx: CallContext, id: string): Promise<StoredImport> {
  const stored = await findImport(ctx.db, id);
  if (stored === undefined) throw noRecordError(imports, id);
  return stored;
}

/** Groups the errors of an import by column and kind. Throws `not_found`, `insufficient_scope`. */
export async function listErrorGroups(ctx: CallContext, id: string): Promise<ImportErrorGroups> {
  const { resource } = await getImport(ctx, id);
  const { groupErrors } = await import('./group-errors.ts');
  return groupErrors(ctx, { id, resource, stored: await readStored(ctx, id) });
}

/** Lists the corrections of an import that are in effect. Throws `not_found`, `insufficient_scope`. */
export async function listCorrections(ctx: CallContext, id: string): Promise<ImportCorrected> {
  await getImport(ctx, id);
  const { settings } = await readStored(ctx, id);
  return { corrections: await findCorrections(ctx.db, { id, headers: settings.headers }) };
}

/**
 * Corrects cells of an import that was checked, and checks again the rows with these cells, and those that depend on them. Has no effect
 * on cells that have the correction already. Throws `not_found`, `insufficient_scope`, `job_not_finished`, `import_written`,
 * `import_undone`, `validation_failed`, `limit_reached`.
 */
export async function correctImport(
  ctx: CallContext,
  { id, corrections }: ImportCorrections,
): Promise<Import> {
  return inTransaction(ctx.db, async (trx) => {
    const { job, stored } = await lockOwnImport(trx, ctx, id);
    if (stored.step === 'write') throw new RosterError('import_written');
    if (job.status !== 'completed' && job.status !== 'completed_with_errors')
      throw new RosterError('job_not_finished', `The import is ${job.status}.`);
    await checkNotUndone(trx, id);
    const { headers, format } = stored.settings;
    const reject = (index: number, member: string, code: string, detail: string) => {
      const errors = [{ pointer: `#/corrections/${index}/${member}`, code, detail }];
      return new RosterError('validation_failed', `The correction ${detail}.`, { errors });
    };
    const unknown = corrections.findIndex(({ column }) => format === 'csv' && !headers.includes(column));
    if (unknown >= 0)
      throw reject(unknown, 'column', 'not_found', 'names a column that the file does not have');
    if (await hasItemRows(trx, id))
      throw reject(
        0,
        'column',
        'not_allowed',
        'is of a file with a row for each item of a list; correct the file',
      );
    await goOn(trx, ctx, async () => {
      const found = await correctCells(trx, { id, headers }, corrections);
      const absent = found.indexOf(false);
      if (absent >= 0)
        throw reject(absent, 'value', 'not_found', 'is of a text that no such row has in that column');
    });
    return readImport({ db: trx, limit: ctx.limit }, id);
  });
}

/**
 * Resumes an import that was cancelled or has failed: a check stays a check. Has no effect on one that is running or has ended.
 * Throws `not_found`, `insufficient_scope`, `import_undone`, `limit_reached`.
 */
export async function resumeImport(ctx: CallContext, id: string): Promise<Import> {
  return inTransaction(ctx.db, async (trx) => {
    const { job } = await lockOwnImport(trx, ctx, id);
    await checkNotUndone(trx, id);
    if (job.status === 'cancelled' || job.status === 'failed')
      await goOn(trx, ctx, () => resumeStep(trx, id));
    return readImport({ db: trx, limit: ctx.limit }, id);
  });
}

/** Cancels an import, after the batch in progress; what it has written stays. Throws `not_found`, `insufficient_scope`. */
export async function cancelImport(ctx: CallContext, id: string): Promise<Import> {
  await readImport(ctx, id);
  await cancelJob(ctx, id);
  return readImport(ctx, id);
}

/** Undoes an import by a job; see `undoJob`. Throws `not_found`, `insufficient_scope`, `job_not_finished`, `limit_reached`. */
export async function undoImport(
  ctx: CallContext,
  { id, reason }: { id: string; reason?: string | null | undefined },
): Promise<Job> {
  await readImport(ctx, id);
  return undoJob(ctx, { id, reason });
}
