import { type Config, ConfigError, readConfig } from '../config.ts';
import { databaseFindings } from './database.ts';
import { embeddedFindings } from './embedded.ts';
import { listeningFinding } from './listening.ts';
import { replicaFindings } from './replicas.ts';

/** One thing that was looked at. */
export interface Finding {
  /** A problem keeps the server from starting or from working; a warning is for a person to judge. */
  level: 'ok' | 'warning' | 'problem';
  /** What it is about, in one word. */
  subject: string;
  /** What was found and what that means, for people; never a secret. */
  detail: string;
  /** The same for machines, where there is more to it than its level. */
  values?: Record<string, unknown>;
}

/** Looks at everything a start depends on, and changes nothing. */
export async function findingsOf(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((detail) => ({ level: 'problem', subject: 'settings', detail }));
  }
  const database =
    config.databaseUrl === undefined
      ? await embeddedFindings(config)
      : await ofDatabaseAndReplicas({ ...config, databaseUrl: config.databaseUrl });
  return [
    { level: 'ok', subject: 'settings', detail: 'every setting can be read' },
    ...database,
    await listeningFinding(config),
  ];
}

async function ofDatabaseAndReplicas(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const database = await databaseFindings({ connection: config.databaseUrl, config });
  return [...database, ...(await replicaFindings(config))];
}
