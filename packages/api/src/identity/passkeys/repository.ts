import { constant, type Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { tableShape } from '../../engine/json/record-json.ts';
import { isAnyId } from '../../engine/list/filters.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { Passkey } from './schemas.ts';

export const passkeys: Listable<Passkey, { personId: string }> = constant({
  name: 'passkeys',
  table: 'passkey',
  ...tableShape('passkey', Passkey, {}),
  filters: { personId: (id) => isAnyId('person_id', [id]) },
});

export interface Credential {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
  isSynced: boolean;
}

export async function countPasskeys(db: Kysely<Database>, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkey')
    .where('person_id', '=', personId)
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type StoredPasskey = Awaited<ReturnType<typeof findCredentials>>[number];

export async function findCredentials(
  db: Kysely<Database>,
  which: { personId: string } | { credentialId: string },
) {
  const passkeys = db.selectFrom('passkey');
  const found =
    'personId' in which
      ? passkeys.where('person_id', '=', which.personId)
      : passkeys.where('credential_id', '=', Buffer.from(which.credentialId, 'base64url'));
  const rows = await found
    .select([
      'id',
      'person_id as personId',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
      'transports',
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ credentialId, counter, ...row }) => ({
    ...row,
    credentialId: credentialId.toString('base64url'),
    counter: Number(counter),
  }));
}

/** Returns false if the passkey is gone, or a counter other than 0 did not grow, as with a copied authenticator. */
export async function recordUseOfPasskey(
  db: Kysely<Database>,
  { id, counter, now }: { id: string; counter: number; now: Date },
): Promise<boolean> {
  const used = String(counter);
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter: used, last_used_at: now })
    .where('id', '=', id)
    .where((row) => (counter === 0 ? row('counter', '=', used) : row('counter', '<', used)))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
