import { inspectReplica, parseReplicaUrl, type ReplicaInspection } from '@roster/db';
import type { Config } from '../config/config.ts';
import { reasonOf } from './database.ts';
import type { Finding } from './index.ts';

/** What there is to say of the standbys that are read from. None of it keeps a server from starting: it reads elsewhere. */
export function replicaFindings(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const { databaseUrl: primary, replicaUrls, database } = config;
  const { connectMs: connectTimeoutMs } = database.timeouts;
  return Promise.all(
    replicaUrls.map(async (url) => {
      try {
        return findingOf(
          await inspectReplica(url, { primary, applicationName: 'roster check', connectTimeoutMs }),
        );
      } catch (error) {
        const { host, port } = parseReplicaUrl(url);
        const name = `${host}:${port}`;
        return warning(`${name} would not be read from: ${reasonOf(error)}`, { name });
      }
    }),
  );
}

function findingOf(found: ReplicaInspection): Finding {
  const { name, isInRecovery, isOfPrimary, behindBytes } = found;
  const values = { ...found };
  if (!isOfPrimary) return warning(`${name} is no copy of this database, and would not be read from`, values);
  if (!isInRecovery) {
    return warning(`${name} is no standby: it takes writes, so that reading from it spares nobody`, values);
  }
  const detail = `${name} is a standby, ${behindBytes} bytes of the log behind`;
  return { level: 'ok', subject: 'replica', detail, values };
}

function warning(detail: string, values: Finding['values']): Finding {
  return { level: 'warning', subject: 'replica', detail, ...(values && { values }) };
}
