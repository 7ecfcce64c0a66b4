import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { directory } from '../directory/registry.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';
import { keys } from '../identity/keys/repository.ts';
import { people } from '../identity/people/repository.ts';
import { jobs } from '../jobs/repository.ts';
import { views } from '../views/repository.ts';
import { webhooks } from '../webhooks/repository.ts';

/** Records can have moved, or the caller's offices changed, since a response was stored. */

interface ShownRecords {
  listable: Pick<Listable, 'name' | 'table' | 'isWithin'> | undefined;
  ids: readonly string[];
}

const listables: Record<string, ShownRecords['listable']> = {
  ...directory,
  webhooks,
  keys,
  people,
  views,
};

interface Response {
  id?: string;
  officeId?: string | null;
  results?: { id: string | null }[];
  samples?: { id: string }[];
  errors?: { id: string }[];
}

function shownIn(operation: string, response: Response): ShownRecords[] {
  const [router = '', name = ''] = operation.split('.');
  const { id, officeId, results = [], samples = [], errors = [] } = response;
  if (router === 'imports' && id === undefined)
    return [{ listable: listables[name], ids: results.flatMap((result) => result.id ?? []) }];
  const isJob = (name === 'bulk' || router === 'imports') && id !== undefined;
  const shown = id === undefined ? [...samples, ...errors].map((record) => record.id) : [id];
  return [
    { listable: isJob ? jobs : listables[router], ids: shown },
    // The agent can have returned from another office, which the response shows.
    { listable: directory.offices, ids: typeof officeId === 'string' ? [officeId] : [] },
  ];
}

/** Throws `not_found` if a stored response shows records out of the limit. */
export async function checkReplay(
  trx: Transaction<Database>,
  { operation, limit }: { operation: string; limit: OfficeLimit | undefined },
  response: unknown,
): Promise<void> {
  if (limit === undefined) return;
  for (const { listable, ids } of shownIn(operation, (response ?? {}) as Response)) {
    if (listable === undefined || !(await areWithin(trx, listable, { ids: [...new Set(ids)], limit })))
      throw new RosterError('not_found', 'The first response has a record that does not exist.');
  }
}

async function areWithin(
  trx: Transaction<Database>,
  listable: NonNullable<ShownRecords['listable']>,
  { ids, limit }: { ids: string[]; limit: OfficeLimit },
): Promise<boolean> {
  if (ids.length === 0) return true;
  const isWithin = listable.isWithin?.(sql`${officesValue(limit)}`) ?? sql`false`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(listable.table)}
    where id = any(${ids}::uuid[]) and ${isWithin}`.execute(trx);
  return rows[0]?.count === ids.length;
}
