import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
import type { OfficeLimit } from '../resources/office-limit.ts';
import { withReadTelephones } from '../resources/write/telephones.ts';
import { inTransaction, withIndexes } from '../resources/write/transaction.ts';
import type { CallContext } from '../trpc/context.ts';
import { type ComparedRecord, compareWithOthers, readProfiles } from './candidates.ts';
import { LOOK_ALIKES_MAX } from './schemas.ts';
import { type Reason, SCORE_DEFAULT } from './score.ts';

type Resource = DirectoryResource<{ id: string }>;

/** A record that a new one looks like. */
export interface LookAlike<Row extends { id: string } = ComparedRecord> {
  score: number;
  reasons: Reason[];
  record: Row;
}

/**
 * Finds the records that new ones look like, as pairs that are listed by default do: by the score from which they are, the most probable
 * first, five at most. It compares with the records that the worker has come to.
 *
 * @param records validated inputs, with telephones in E.164
 * @param limit the offices within which the others are; undefined for all
 * @returns for each of the inputs what it looks like, in their order
 */
export async function findLookAlikes(
  trx: Transaction<Database>,
  resource: Resource,
  { records, limit }: { records: readonly object[]; limit: OfficeLimit | undefined },
): Promise<LookAlike[][]> {
  const found = records.map((): LookAlike[] => []);
  await withIndexes(trx);
  // A new record has no id: its place stands for it.
  const compared = readProfiles(
    resource,
    records.map((record, place) => ({ ...record, id: String(place) })),
  );
  const alike = await compareWithOthers(trx, resource, { ...compared, isStored: false, limit });
  for (const { id, other, score, reasons } of alike)
    if (score >= SCORE_DEFAULT) found[Number(id)]?.push({ score, reasons, record: other });
  const byScore = (one: LookAlike, other: LookAlike) =>
    other.score - one.score || (one.record.id < other.record.id ? -1 : 1);
  return found.map((some) => some.sort(byScore).slice(0, LOOK_ALIKES_MAX));
}

/**
 * Tells which records that the caller may see a new one looks like. Nothing is written. Throws `validation_failed` for a telephone that
 * cannot be read.
 */
export async function checkDuplicates(
  { db, limit, services: { defaultCountry } }: CallContext,
  resource: Resource,
  input: object,
): Promise<{ lookAlikes: LookAlike[] }> {
  const record = withReadTelephones(resource, input, { defaultCountry });
  return inTransaction(db, async (trx) => {
    const [lookAlikes = []] = await findLookAlikes(trx, resource, { records: [record], limit });
    return { lookAlikes };
  });
}
