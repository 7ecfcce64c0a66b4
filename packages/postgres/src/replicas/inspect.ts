import type { Client, ClientConfig } from 'pg';
import { type ConnectionTarget, connectionFactory } from '../hosts/connection-factory.ts';
import { parseReplicaUrl } from '../hosts/connection-string.ts';

/** The state of a server that is configured as a replica. */
export interface ReplicaInspection {
  /** Host and port. */
  name: string;
  /** Whether it is a standby. */
  isInRecovery: boolean;
  /** Whether it is a copy of the primary's cluster. */
  isOfPrimary: boolean;
  /** The part of the primary's write-ahead log that it has not replayed yet, in bytes. */
  behindBytes: number;
}

interface ServerState {
  isInRecovery: boolean;
  cluster: string;
  /** Its position in the write-ahead log. */
  bytes: string;
}

const STATE = `
  select pg_is_in_recovery() as "isInRecovery",
    (select system_identifier::text from pg_control_system()) as cluster,
    coalesce(pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end, '0/0'
    ), 0) as bytes`;

interface InspectOptions {
  primary: ConnectionTarget;
  /** The name of the connections in `pg_stat_activity`. */
  applicationName?: string;
  connectTimeoutMs: number;
}

/**
 * Compares a replica with its primary, without changing anything.
 * @throws the error of the socket or of PostgreSQL if either cannot be queried; TypeError for an invalid URL
 */
export async function inspectReplica(
  url: string,
  { primary, applicationName, connectTimeoutMs }: InspectOptions,
): Promise<ReplicaInspection> {
  const { host, port } = parseReplicaUrl(url);
  const config = {
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  };
  const replica = await queryState(url, config);
  const ofPrimary = await queryState(primary, config);
  return {
    name: `${host}:${port}`,
    isInRecovery: replica.isInRecovery,
    isOfPrimary: replica.cluster === ofPrimary.cluster,
    behindBytes: Number(BigInt(ofPrimary.bytes) - BigInt(replica.bytes)),
  };
}

async function queryState(target: ConnectionTarget, config: ClientConfig): Promise<ServerState> {
  const factory = connectionFactory(target);
  const client: Client = new factory.Client({
    ...factory.config,
    ...config,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<ServerState>(STATE);
    return rows[0] as ServerState;
  } finally {
    client.end().catch(() => undefined);
  }
}
