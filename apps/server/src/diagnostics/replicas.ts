import { inspectReplica, parseReplicaUrl, type ReplicaInspection } from '@roster/db';
import type { Config } from '../config/config.ts';
import { messageOf } from './database.ts';
import { type Finding, ok, type Result, warning } from './finding.ts';

/** Checks the replicas. None of their faults is a problem: the server then reads from the primary or another replica. */
export function checkReplicas(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const { databaseUrl: primary, replicaUrls, database } = config;
  const { connectMs: connectTimeoutMs } = database.timeouts;
  return Promise.all(
    replicaUrls.map(async (url) => {
      const options = { primary, applicationName: 'roster check', connectTimeoutMs };
      const result = await inspectReplica(url, options).then(assess, (error: unknown) => {
        const { host, port } = parseReplicaUrl(url);
        const name = `${host}:${port}`;
        return warning(`${name} would serve no reads: ${messageOf(error)}`, { name });
      });
      return { subject: 'replica', ...result };
    }),
  );
}

function assess(found: ReplicaInspection): Result {
  const { name, isInRecovery, isOfPrimary, behindBytes } = found;
  const values = { ...found };
  if (!isOfPrimary)
    return warning(`${name} is not a copy of this database, and would serve no reads`, values);
  if (!isInRecovery) {
    return warning(
      `${name} is not a standby: it accepts writes, so that reading from it takes no load off the primary`,
      values,
    );
  }
  return ok(`${name} is a standby, ${behindBytes} bytes of WAL behind`, values);
}
