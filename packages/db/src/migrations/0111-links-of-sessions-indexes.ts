import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/** What ends with a session, a person, a key, a passkey, or a session at the identity provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const of = (column: string) => `(${column}) where ${column} is not null`;
  await buildIndex(db, 'session_opened_by_idx', `session ${of('opened_by')}`);
  await buildIndex(db, 'session_passkey_idx', `session ${of('passkey_id')}`);
  await buildIndex(db, 'sign_in_person_idx', `sign_in ${of('person_id')}`);
  await buildIndex(db, 'sign_in_key_idx', `sign_in ${of('key_id')}`);
  await buildIndex(db, 'sign_in_session_idx', `sign_in ${of('session_id')}`);
  await buildIndex(db, 'sign_in_provider_idx', `sign_in ${of('provider_session')}`);
}
