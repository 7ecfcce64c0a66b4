import { type ConnectionTarget, startLocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';

/**
 * Runs `work` with the database of the settings: that of DATABASE_URL, or the local PostgreSQL, which is started until `work` has
 * ended unless it runs already.
 *
 * @param config.databaseUrl the URL of PostgreSQL; undefined for the local one in `config.dataDir`
 * @param onProgress called with a line for people about each step of that start
 * @returns what `work` returns
 * @throws LocalPostgresUnavailable
 */
export async function withDatabase<Answer>(
  { databaseUrl, dataDir }: Config,
  onProgress: (message: string) => void,
  work: (connection: ConnectionTarget) => Promise<Answer>,
): Promise<Answer> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  const localPostgres = await startLocalPostgres({ dataDir, onProgress });
  try {
    return await work(localPostgres.connection);
  } finally {
    await localPostgres.close();
  }
}
