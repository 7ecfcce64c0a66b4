import { inspectReplica, parseReplicaUrl, type ReplicaInspection } from '@roster/db';
import type { Config } from '../config/config.ts';
import { messageOf } from './database.ts';
import type { Finding } from './finding.ts';

/** Checks the replicas. None of their faults is a problem: the server then reads from the primary or another replica. */
export function checkReplicas(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const { databaseUrl: primary, replicaUrls, database } = config;
  const { connectMs: connectTimeoutMs } = database.timeouts;
  return Promise.all(
    replicaUrls.map(async (url) => {
      try {
        return assess(
          await inspectReplica(url, { primary, applicationName: 'roster check', connectTimeoutMs }),
        );
      } catch (error) {
        const { host, port } = parseReplicaUrl(url);
        const name = `${host}:${port}`;
        return warning(`${name} would serve no reads: ${messageOf(error)}`, { name });
      }
    }),
  );
}

function assess(found: ReplicaInspection): Finding {
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
  const detail = `${name} is a standby, ${behindBytes} bytes of WAL behind`;
  return { level: 'ok', subject: 'replica', detail, values };
}

function warning(detail: string, values: Finding['values']): Finding {
  return { level: 'warning', subject: 'replica', detail, ...(values && { values }) };
}
