import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
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

/** Stands for the id of a new record. */
const NEW = 'new';

/** A record that a new one looks like. */
export interface LookAlike<Row = ComparedRecord> {
  score: number;
  reasons: Reason[];
  record: Row;
}

/**
 * Finds the records that new ones look like, as pairs that are listed by default do: by the score from which they are, the most probable
 * first, five at most. It compares with the records that the worker has come to.
 *
 * @param profiles what is compared of the new records, by whatever stands for their ids
 * @param limit the offices within which the others are; undefined for all
 * @returns what the new ones look like, by the same; nothing for one that looks like no other
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

/**
 * Tells which records that the caller may see a new one looks like. Nothing is written. Throws `validation_failed` for a phone number that
 * cannot be read.
 */
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
