import { withActors } from '../../access/actors.ts';
import { chooseNames, writeScopes } from '../../access/scopes.ts';
import { listPage, type Page } from '../../engine/list/list-records.ts';
import { keptUntil, retentionEnd } from '../../engine/retention.ts';
import type { RecordCollaborators, RecordContext } from '../../records/settings.ts';
import type { Given } from '../../trpc/given.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { procedureFor } from '../../trpc/procedure.ts';
import { deletedRecords } from './repository.ts';
import { type DeletedRecord, DeletedRecordPage, DeletedRecordQuery } from './schemas.ts';

const operation = operationsOf('Deleted records');

/** Only of resources the caller may change. Throws `insufficient_scope` for others. */
async function listDeletedRecords(
  { db, caller, limit, now, settings: { retentionDays } }: RecordContext,
  { resource: named, ...page }: DeletedRecordQuery,
): Promise<Page<DeletedRecord>> {
  const collection = chooseNames(caller, named, 'write');
  const end = retentionEnd({ now: now(), retentionDays });
  const kept = { deletedSince: new Date(end.getTime() + 1).toISOString(), isRestorable: true as const };
  const request = { resource: deletedRecords, input: { ...page, collection }, kept, limit };
  const { items, ...rest } = await listPage(db, request);
  const shown = await withActors(db, items, caller);
  return {
    ...rest,
    items: shown.map((item) => {
      const restorableUntil = keptUntil(item.deletedAt, retentionDays).toISOString();
      return { ...item, restorableUntil } as DeletedRecord;
    }),
  };
}

export const deletedRecordsRouter = (settings: Given<RecordCollaborators>) => ({
  list: procedureFor(...writeScopes)
    .use(settings)
    .meta(
      operation('GET /deleted-records', {
        summary: 'List deleted records',
        description:
          'Lists deleted records that you can restore, each with its last state. Only resources you can change are ' +
          'included. If your access is restricted, only records of your offices are returned.',
        isLimited: true,
      }),
    )
    .input(DeletedRecordQuery)
    .output(DeletedRecordPage)
    .query(({ ctx, input }) => listDeletedRecords(ctx, input)),
});
