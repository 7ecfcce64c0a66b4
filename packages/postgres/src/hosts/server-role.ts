import type { Client, Connection } from 'pg';
import type { Target } from './connection-string.ts';

/** What a server says of itself when a connection is made, and again whenever it changes (PostgreSQL 14 and later). */
export class Role {
  #isStandby: boolean | undefined;
  #isReadOnly: boolean | undefined;

  /** Listens to what a connection reports, from before it is made; `onChange` is called at every report. */
  static of({ connection }: Client, onChange: () => void = () => undefined): Role {
    const role = new Role();
    const reports = connection as Connection & NodeJS.EventEmitter;
    reports.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') role.#isStandby = parameterValue === 'on';
      else if (parameterName === 'default_transaction_read_only') role.#isReadOnly = parameterValue === 'on';
      else return;
      onChange();
    });
    return role;
  }

  /** Whether the server is as wanted. A pooler in between may report nothing: then that has to be asked. */
  fits(target: Target): boolean | undefined {
    if (target === 'any') return true;
    if (this.#isStandby === undefined || this.#isReadOnly === undefined) return undefined;
    return !this.#isStandby && (target === 'primary' || !this.#isReadOnly);
  }

  /** Asks the server what it did not report. */
  async ask(client: Client): Promise<void> {
    const { rows } = await client.query(
      `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only')::bool as "isReadOnly"`,
    );
    this.#isStandby = rows[0].isStandby;
    this.#isReadOnly = rows[0].isReadOnly;
  }
}
