import { type RawBuilder, sql } from 'kysely';

/**
 * Until when a claimed row belongs to its server.
 *
 * - `transaction`: until the transaction of the claim ends, by the lock of the row; PostgreSQL ends both with the connection
 *   of a server that dies. For work that is done in that transaction.
 * - A time: for so many milliseconds by the clock of the database, which the claim writes to `due_at` of the row; then it is due
 *   again. For work outside of the database. `id` is written to the column `claim`, so that only its holder ends the work.
 */
export type Lease = 'transaction' | { ms: number; id?: string | RawBuilder<string> };

/**
 * Now, as the time from which work is due. A column of milliseconds would round half of these times up: a claim at the same moment would
 * find no work due.
 */
export const dueNow = sql<Date>`date_trunc('milliseconds', now())`;

/** Work that waits: rows of a table, each of which one server at a time works on. */
export interface Queue {
  table: string;
  /** The column that identifies a row; `id` unless given. */
  key?: string;
  /**
   * The rows that are due. It is evaluated again for a row that has changed until it is locked, so what ends the work of a row
   * must end this condition.
   */
  condition: RawBuilder<boolean>;
  /** The order of the rows of which the first are claimed; none unless given. */
  order?: RawBuilder<unknown>;
  /** The most rows that are claimed; all that are due unless given. */
  max?: number;
  lease: Lease;
}

/**
 * The statement that claims the next rows of a queue and returns them whole, for a CTE: `with claimed as (${claim(queue)}) select …`.
 * Rows that another transaction has locked are left out and not waited for, so each row has one holder, on any number of
 * servers, and one that takes long delays no other.
 */
export function claim({ table, key = 'id', condition, order, max, lease }: Queue): RawBuilder<unknown> {
  const name = sql.table(table);
  const ordered = order === undefined ? sql`` : sql`order by ${order}`;
  const limited = max === undefined ? sql`` : sql`limit ${sql.lit(max)}`;
  // A row that is claimed can be referred to by what its holder inserts in other transactions.
  const due = sql`from ${name} where ${condition} ${ordered} ${limited} for no key update skip locked`;
  if (lease === 'transaction') return sql`select * ${due}`;
  const column = sql.ref(`${table}.${key}`);
  const holder = lease.id === undefined ? sql`` : sql`, claim = ${lease.id}`;
  // Materialized, because a subquery with a lock that is evaluated again locks other rows.
  return sql`
    with due as materialized (select ${column} as key ${due})
    update ${name} set due_at = clock_timestamp() + ${lease.ms} * interval '1 ms'${holder}
    from due where ${column} = due.key returning ${name}.*`;
}
