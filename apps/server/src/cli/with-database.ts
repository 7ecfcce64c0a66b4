import {
  type ConnectionTarget,
  inspectLocalPostgres,
  LocalPostgresInUse,
  startLocalPostgres,
} from '@roster/db';
import type { Config } from '../config/config.ts';

/**
 * Runs `work` with the database of the settings. A local PostgreSQL that no server has runs until `work` has ended. Throws
 * LocalPostgresInUse if a server is starting or stopping.
 */
export async function withDatabase<Result>(
  { databaseUrl, dataDir }: Config,
  onProgress: (message: string) => void,
  work: (connection: ConnectionTarget) => Promise<Result>,
): Promise<Result> {
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
