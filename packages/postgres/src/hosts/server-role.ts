import type { Client, Connection } from 'pg';
import type { TargetSessionAttrs } from './connection-string.ts';

/**
 * The role of a server: primary or standby, read-write or read-only. PostgreSQL 14 and later report it when a connection
 * is opened and whenever it changes.
 */
export class ServerRole {
  #isStandby: boolean | undefined;
  #isReadOnly: boolean | undefined;

  /** The role of the server of a connection that is not open yet. `onChange` is called for each report. */
  static watch({ connection }: Client, onChange: () => void = () => undefined): ServerRole {
    const role = new ServerRole();
    const reports = connection as Connection & NodeJS.EventEmitter;
    reports.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') role.#isStandby = parameterValue === 'on';
      else if (parameterName === 'default_transaction_read_only') role.#isReadOnly = parameterValue === 'on';
      else return;
      onChange();
    });
    return role;
  }

  /** Whether the server is the one that is wanted; undefined if it has not been reported, as behind some poolers. */
  matches(targetSessionAttrs: TargetSessionAttrs): boolean | undefined {
    if (targetSessionAttrs === 'any') return true;
    if (this.#isStandby === undefined || this.#isReadOnly === undefined) return undefined;
    return !this.#isStandby && (targetSessionAttrs === 'primary' || !this.#isReadOnly);
  }

  /** Queries the server for what it has not reported. */
  async query(client: Client): Promise<void> {
    const { rows } = await client.query(
      `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only')::bool as "isReadOnly"`,
    );
    this.#isStandby = rows[0].isStandby;
    this.#isReadOnly = rows[0].isReadOnly;
  }
}
