import { constant, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { createdByJson } from '../../access/actors.ts';
import { isContained } from '../../access/office-ids.ts';
import type { Scope } from '../../access/scopes.ts';
import { hashOf, prefixOf } from '../../access/secret.ts';
import { tableShape } from '../../engine/json/record-json.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { Key } from './schemas.ts';

const hint = sql<string>`(
  select hint from api_key_secret where key_id = api_key.id and ends_at is null)`;

export const keys: Listable<Key> = constant({
  name: 'keys',
  table: 'api_key',
  noun: 'key',
  ...tableShape('api_key', Key, { hint, createdBy: createdByJson(sql.ref('api_key.created_by')) }),
  isWithin: isContained,
});

export async function insertSecret(
  db: Kysely<Database>,
  { keyId, secret, now }: { keyId: string; secret: string; now: Date },
): Promise<void> {
  await db
    .insertInto('api_key_secret')
    .values({ hash: hashOf(secret), key_id: keyId, hint: prefixOf(secret), created_at: now, ends_at: null })
    .execute();
}

/** Doesn't extend earlier expiries. */
export async function endSecrets(
  db: Kysely<Database>,
  { keyId, endsAt }: { keyId: string; endsAt: Date },
): Promise<void> {
  await db
    .updateTable('api_key_secret')
    .set((row) => ({ ends_at: row.fn<Date>('least', ['ends_at', row.val(endsAt)]) }))
    .where('key_id', '=', keyId)
    .execute();
}

export type LockedKey = NonNullable<Awaited<ReturnType<typeof lockKey>>>;

export async function lockKey(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('api_key')
    .where('id', '=', id)
    .select(['scopes', 'office_ids as officeIds', 'revoked_at', 'expires_at'])
    .$narrowType<{ scopes: Scope[] }>()
    .forUpdate()
    .executeTakeFirst();
}
