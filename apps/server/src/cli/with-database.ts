import {
  type ConnectionTarget,
  inspectLocalPostgres,
  LocalPostgresInUse,
  startLocalPostgres,
} from '@roster/db';
import type { Config } from '../config/config.ts';

/**
 * Runs `work` with the database of the settings: that of DATABASE_URL, or the local PostgreSQL, which is that of the server which
 * runs, or else is started until `work` has ended.
 *
 * @param config.databaseUrl the URL of PostgreSQL; undefined for the local one in `config.dataDir`
 * @param onProgress called with a line for people about each step of that start
 * @returns what `work` returns
 * @throws LocalPostgresUnavailable; LocalPostgresInUse if a server has it that does not run yet, or not any more
 */
export async function withDatabase<Answer>(
  { databaseUrl, dataDir }: Config,
  onProgress: (message: string) => void,
  work: (connection: ConnectionTarget) => Promise<Answer>,
): Promise<Answer> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  const localPostgres = await startLocalPostgres({ dataDir, onProgress }).catch(async (error) => {
    const { running } = await inspectLocalPostgres(dataDir);
    if (running === undefined || !(error instanceof LocalPostgresInUse)) throw error;
    return { connection: running, close: async () => undefined };
  });
  try {
    return await work(localPostgres.connection);
  } finally {
    await localPostgres.close();
  }
}
