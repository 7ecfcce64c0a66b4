import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { Listable } from '../engine/list/list-records.ts';
import { type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';

/** Records can have moved, or the caller's offices changed, since a response was stored. */

type Shown = Pick<Listable, 'table' | 'isWithin'>;

interface ShownRecords {
  listable: Shown;
  ids: readonly string[];
}

/** The parts of a response with the IDs of records. */
interface StoredResponse {
  id?: string;
  officeId?: string | null;
  results?: { id: string | null }[];
  samples?: { id: string }[];
  errors?: { id: string }[];
}

/** The records that a stored response shows. `name` is that of the procedure in its router. */
export type ShownIn = (response: StoredResponse, name: string) => readonly ShownRecords[];

/** For responses with one record. */
export function shownRecord(listable: Shown): ShownIn {
  return ({ id }) => [{ listable, ids: id === undefined ? [] : [id] }];
}

interface Replay {
  operation: string;
  limit: OfficeLimit | undefined;
  shownIn: ShownIn | undefined;
}

/** Throws `not_found` if a stored response shows records out of the limit, or may do so. */
export async function checkReplay(
  trx: Transaction<Database>,
  { operation, limit, shownIn }: Replay,
  response: unknown,
): Promise<void> {
  if (limit === undefined) return;
  const [, name = ''] = operation.split('.');
  const shown = shownIn?.((response ?? {}) as StoredResponse, name);
  const isWithin = shown?.map(({ listable, ids }) =>
    areWithin(trx, listable, { ids: [...new Set(ids)], limit }),
  );
  if (isWithin === undefined || (await Promise.all(isWithin)).includes(false))
    throw new RosterError('not_found', 'The first response has a record that does not exist.');
}

async function areWithin(
  trx: Transaction<Database>,
  listable: Shown,
  { ids, limit }: { ids: string[]; limit: OfficeLimit },
): Promise<boolean> {
  if (ids.length === 0) return true;
  const isWithin = listable.isWithin?.(sql`${officesValue(limit)}`) ?? sql`false`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(listable.table)}
    where id = any(${ids}::uuid[]) and ${isWithin}`.execute(trx);
  return rows[0]?.count === ids.length;
}
