import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { DirectoryResource } from '../directory/registry.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { withReadTelephones } from '../engine/write/telephones.ts';
import { inTransaction, withIndexes } from '../engine/write/transaction.ts';
import { countrySources } from '../records/service.ts';
import type { RecordContext } from '../records/settings.ts';
import {
  type ComparedRecord,
  compareWithOthers,
  type Profiles,
  readProfiles,
  withKeys,
} from './candidates.ts';
import { LOOK_ALIKES_MAX } from './schemas.ts';
import { type Reason, SCORE_DEFAULT } from './score.ts';

const NEW = 'new';

export interface LookAlike<Row = ComparedRecord> {
  score: number;
  reasons: Reason[];
  record: Row;
}

/**
 * Finds the records that new ones look like, by default score: at most five, the most probable first, among
 * those the worker has already processed.
 *
 * @param profiles the new records by any ID
 * @param limit the offices of the other records; undefined for all
 * @returns by the same IDs; records without look-alikes are left out
 */
export async function findLookAlikes<Row extends ComparedRecord>(
  trx: Transaction<Database>,
  resource: DirectoryResource<Row>,
  { profiles, limit }: { profiles: Profiles; limit: OfficeLimit | undefined },
): Promise<Map<string, LookAlike<Row>[]>> {
  await withIndexes(trx);
  const keyed = withKeys(resource.name, profiles);
  const alike = await compareWithOthers(trx, resource, { ...keyed, isStored: false, limit });
  const byId = Map.groupBy(
    alike.filter(({ score }) => score >= SCORE_DEFAULT),
    ({ id }) => id,
  );
  const byScore = (one: LookAlike<Row>, other: LookAlike<Row>) =>
    other.score - one.score || (one.record.id < other.record.id ? -1 : 1);
  return new Map(
    Array.from(byId, ([id, some]) => {
      const found = some.map(({ other: record, score, reasons }) => ({ score, reasons, record }));
      return [id, found.sort(byScore).slice(0, LOOK_ALIKES_MAX)];
    }),
  );
}

/** Only visible records. Throws `validation_failed` for an invalid phone number. */
export async function checkDuplicates<Row extends ComparedRecord>(
  ctx: RecordContext,
  resource: DirectoryResource<Row>,
  input: object,
): Promise<{ lookAlikes: LookAlike<Row>[] }> {
  const { db, limit } = ctx;
  const record = await withReadTelephones(db, resource, { input }, countrySources(ctx));
  return inTransaction(db, async (trx) => {
    const profiles = readProfiles(resource, [{ ...record, id: NEW }]);
    const found = await findLookAlikes(trx, resource, { profiles, limit });
    return { lookAlikes: found.get(NEW) ?? [] };
  });
}
