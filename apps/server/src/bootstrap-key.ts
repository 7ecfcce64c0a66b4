import { createFirstKey } from '@roster/api/server';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { writePrivateFile } from './config/data-directory.ts';

/**
 * Creates the first API key, with all scopes, if the database has none and there is no `adminKey` (ROSTER_ADMIN_KEY).
 *
 * @param options.keyFile the file to which the secret is written too, before the key is committed; undefined for none
 * @returns the secret, which cannot be read again; undefined if no key was created
 */
export async function createBootstrapKey(
  db: Kysely<Database>,
  { adminKey, keyFile, now }: { adminKey: string | undefined; keyFile: string | undefined; now: Date },
): Promise<string | undefined> {
  if (adminKey !== undefined) return undefined;
  const key = await createFirstKey(db, {
    now,
    beforeCommit: async (secret) => {
      // Before the commit, so that no key exists whose secret is lost.
      if (keyFile !== undefined) await writePrivateFile(keyFile, secret);
    },
  });
  return key?.secret;
}
