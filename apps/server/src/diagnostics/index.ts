import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { databaseFindings } from './database.ts';
import { listeningFindings } from './listening.ts';
import { localPostgresFindings } from './local-postgres.ts';
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
export async function diagnose(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((detail) => ({ level: 'problem', subject: 'settings', detail }));
  }
  const database =
    config.databaseUrl === undefined
      ? await localPostgresFindings(config)
      : await ofDatabaseAndReplicas({ ...config, databaseUrl: config.databaseUrl });
  return [
    { level: 'ok', subject: 'settings', detail: 'every setting can be read' },
    ...database,
    ...(await listeningFindings(config)),
  ];
}

const marks = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };

/** A finding as `--check` prints it. */
export function lineOf({ level, subject, detail }: Finding): string {
  return `${marks[level].padEnd(8)} ${subject.padEnd(12)} ${detail}`;
}

/**
 * Why a command failed, in the lines of `--check` that name a problem: what keeps a server from starting is said in the same
 * words by both. A command that does not listen is not told of addresses. Empty when `--check` finds no problem.
 */
export async function problemLines(
  environment: Record<string, string | undefined>,
  command: string,
): Promise<string[]> {
  const findings = await diagnose(environment);
  return findings
    .filter(({ level }) => level === 'problem')
    .filter(({ subject }) => command === 'serve' || !['listening', 'metrics'].includes(subject))
    .map(lineOf);
}

async function ofDatabaseAndReplicas(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const database = await databaseFindings({ connection: config.databaseUrl, config });
  return [...database, ...(await replicaFindings(config))];
}
