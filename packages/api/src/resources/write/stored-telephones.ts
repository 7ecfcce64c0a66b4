import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';
import { columnOf, partColumn } from '../fields/columns.ts';
import { type TelephoneRecord, telephoneNames } from './telephones.ts';

/** Locks records, in the order of their ids, and returns their telephones and the countries of their addresses for `readTelephones`. */
export async function findTelephones(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'table' | 'fields'>,
  ids: readonly string[],
): Promise<Map<string, TelephoneRecord>> {
  const pairs = telephoneNames(resource).map((name) => sql`${sql.lit(name)}, ${sql.ref(columnOf(name))}`);
  const country = sql.ref(partColumn('address', 'country'));
  const { rows } = await sql<{ id: string; record: TelephoneRecord }>`
    select id, json_build_object('address', json_build_object('country', ${country}), ${sql.join(pairs)}) as record
    from ${sql.table(resource.table)} where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, record }) => [id, record]));
}
