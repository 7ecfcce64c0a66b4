import { type ConnectionTarget, startLocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';

/**
 * Lets `work` use the database of the settings: the one of DATABASE_URL, or the local one, which is joined where it
 * runs, and started for as long as it takes where it does not.
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
