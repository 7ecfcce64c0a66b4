import type { Client, ClientConfig } from 'pg';
import { openingOf, type Place } from '../hosts/connection-factory.ts';
import { readReplica } from '../hosts/connection-string.ts';

/** What a server is that is to be read from, as found without changing anything. */
export interface ReplicaInspection {
  /** Host and port. */
  name: string;
  /** Whether it replays what another server writes. */
  isInRecovery: boolean;
  /** Whether it is a copy of the primary's cluster. */
  isOfPrimary: boolean;
  /** How much of the primary's log it has not replayed yet, in bytes. */
  behindBytes: number;
}

interface State {
  isInRecovery: boolean;
  cluster: string;
  lsn: string | null;
}

const STATE = `
  select pg_is_in_recovery() as "isInRecovery",
    (select system_identifier::text from pg_control_system()) as cluster,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn`;

interface Asked {
  /** Where the primary is. */
  primary: Place;
  connectTimeoutMs: number;
}

/**
 * Looks at a server that is to be read from, beside its primary.
 * @throws what keeps either from being reached or asked
 */
export async function inspectReplica(
  url: string,
  { primary, connectTimeoutMs }: Asked,
): Promise<ReplicaInspection> {
  const { host, port } = readReplica(url);
  const config = { connectionTimeoutMillis: connectTimeoutMs, query_timeout: connectTimeoutMs };
  const replica = await stateOf(url, config);
  const written = await stateOf(primary, config);
  return {
    name: `${host}:${port}`,
    isInRecovery: replica.isInRecovery,
    isOfPrimary: replica.cluster === written.cluster,
    behindBytes: Number(placeIn(written) - placeIn(replica)),
  };
}

async function stateOf(place: Place, config: ClientConfig): Promise<State> {
  const opening = openingOf(place);
  const client: Client = new opening.Client({
    ...opening.config,
    ...config,
    application_name: 'roster check',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<State>(STATE);
    return rows[0] as State;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** PostgreSQL writes a place in the log as two hexadecimal halves of 32 bits. */
function placeIn({ lsn }: State): bigint {
  const [high = '0', low = '0'] = (lsn ?? '0/0').split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
