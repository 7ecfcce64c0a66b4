import { type ConnectOptions, startEmbedded } from '@roster/db';
import { readConfig } from '../config.ts';
import type { Transfer } from './transfer.ts';

/**
 * Lets `work` use the database of the settings: the one of DATABASE_URL, or the embedded one, which is joined where it
 * runs, and started for as long as it takes where it does not.
 * @throws ConfigError, EmbeddedUnavailable
 */
export async function withDatabase<Answer>(
  { environment, say }: Pick<Transfer, 'environment' | 'say'>,
  work: (connection: ConnectOptions['connection']) => Promise<Answer>,
): Promise<Answer> {
  const { databaseUrl, dataDir } = readConfig(environment);
  if (databaseUrl !== undefined) return work(databaseUrl);
  const embedded = await startEmbedded({ dataDir, onProgress: (message) => say(`  ${message}`) });
  try {
    return await work(embedded.connection);
  } finally {
    await embedded.close();
  }
}
