import { constant, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { tableShape } from '../../engine/json/record-json.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { Passkey } from './schemas.ts';

export const passkeys: Listable<Passkey> = constant({
  name: 'passkeys',
  table: 'passkey',
  ...tableShape('passkey', Passkey, {}),
  nameSort: { key: 'name', column: 'name' },
});

/** A credential of WebAuthn, as the browser and the authenticator have made it. */
export interface Credential {
  /** In base64url. */
  credentialId: string;
  /** In COSE. */
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
  isSynced: boolean;
}

/** Inserts a passkey. */
export async function insertPasskey(
  db: Kysely<Database>,
  {
    id,
    personId,
    name,
    now,
    ...credential
  }: Credential & { id: string; personId: string; name: string; now: Date },
): Promise<void> {
  await db
    .insertInto('passkey')
    .values({
      id,
      person_id: personId,
      name,
      created_at: now,
      credential_id: Buffer.from(credential.credentialId, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports: [...credential.transports],
      is_synced: credential.isSynced,
    })
    .execute();
}

/** The number of passkeys of a person. */
export async function countPasskeys(db: Kysely<Database>, personId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passkey where person_id = ${personId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A passkey with what a signature is checked by. */
export interface StoredPasskey extends Omit<Credential, 'isSynced'> {
  id: string;
  personId: string;
}

interface FoundPasskey {
  id: string;
  personId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: string;
  transports: string[];
}

/** The passkeys of a person, or the one with the id of a credential. */
export async function findCredentials(
  db: Kysely<Database>,
  which: { personId: string } | { credentialId: string },
): Promise<StoredPasskey[]> {
  const condition =
    'personId' in which
      ? sql`person_id = ${which.personId}`
      : sql`credential_id = ${Buffer.from(which.credentialId, 'base64url')}`;
  const { rows } = await sql<FoundPasskey>`
    select id, person_id as "personId", credential_id as "credentialId", public_key as "publicKey", counter, transports
    from passkey where ${condition} order by created_at, id`.execute(db);
  return rows.map(({ credentialId, counter, ...row }) => ({
    ...row,
    credentialId: credentialId.toString('base64url'),
    counter: Number(counter),
  }));
}

/**
 * Records that a passkey was used, with the new count of its signatures. Returns false if it is gone, or if another signature with the
 * same count or a higher one was used meanwhile, which a copy of the authenticator would make.
 */
export async function recordUseOfPasskey(
  db: Kysely<Database>,
  { id, counter, now }: { id: string; counter: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update passkey set counter = ${counter}::bigint, last_used_at = ${now}
    where id = ${id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    returning 1`.execute(db);
  return rows.length > 0;
}
