import type { Client, Connection } from 'pg';
import type { TargetSessionAttrs } from './connection-string.ts';

/**
 * The role of a server: primary or standby, read-write or read-only. It is asked for when a connection is open: what PostgreSQL reports
 * when one is opened is of an earlier moment behind PgBouncer, which keeps it until all its connections have ended.
 */
export class ServerRole {
  #isStandby: boolean | undefined;
  #isReadOnly: boolean | undefined;

  /** The role of the server of a connection that is not open yet. `onChange` is called for each report of PostgreSQL after `query`. */
  static watch({ connection }: Client, onChange: () => void = () => undefined): ServerRole {
    const role = new ServerRole();
    const reports = connection as Connection & NodeJS.EventEmitter;
    reports.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (role.#isStandby === undefined) return;
      if (parameterName === 'in_hot_standby') role.#isStandby = parameterValue === 'on';
      else if (parameterName === 'default_transaction_read_only') role.#isReadOnly = parameterValue === 'on';
      else return;
      onChange();
    });
    return role;
  }

  /** Whether the server is the one that is wanted; false before `query`. */
  matches(targetSessionAttrs: TargetSessionAttrs): boolean {
    if (targetSessionAttrs === 'any') return true;
    return this.#isStandby === false && (targetSessionAttrs === 'primary' || this.#isReadOnly === false);
  }

  /** Asks the server. */
  async query(client: Client): Promise<void> {
    const { rows } = await client.query(
      `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only')::bool as "isReadOnly"`,
    );
    this.#isStandby = rows[0].isStandby;
    this.#isReadOnly = rows[0].isReadOnly;
  }
}
