import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFirstKey } from '@roster/api/server';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Config } from './config/config.ts';

/** Where a server with the local PostgreSQL leaves its first key, for the command line and for `curl`. */
export function keyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'key');
}

/** Writes one line to a file that only its owner may read, all of it or nothing. */
export async function writePrivateFile(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A new file takes the place of an old one, whose mode might let others read.
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, `${line}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}

/**
 * Makes the first key, with all scopes, in a database without any; its secret is answered this once. With
 * ROSTER_ADMIN_KEY there is no need of one. `keyFile` also gets it if the PostgreSQL is the local one.
 */
export async function createBootstrapKey(
  db: Kysely<Database>,
  { adminKey, keyFile, now }: { adminKey: string | undefined; keyFile: string | undefined; now: Date },
): Promise<string | undefined> {
  if (adminKey !== undefined) return undefined;
  const key = await createFirstKey(db, {
    now,
    beforeCommit: async (secret) => {
      // Before the commit, so that a key is never made and lost.
      if (keyFile !== undefined) await writePrivateFile(keyFile, secret);
    },
  });
  return key?.secret;
}
