import { type RawBuilder, sql } from 'kysely';

/**
 * The time for which a claimed row belongs to its server.
 *
 * - `transaction`: until the claiming transaction ends, by a row lock, which PostgreSQL also releases if the
 *   server dies. For work done in that transaction.
 * - A time in milliseconds by the database's clock, written to the row's `due_at`. After it the row is due
 *   again. For work outside of the database. `id` is written to the column `claim`, so that only its holder
 *   finishes the work.
 */
export type Lease = 'transaction' | { ms: number; id?: string | RawBuilder<string> };

/** Rounding up would make half of the times later than a claim at the same moment. */
export const dueNow = sql<Date>`date_trunc('milliseconds', now())`;

export interface Queue {
  table: string;
  key?: string;
  /** Evaluated again for rows changed before they were locked, so finishing the work must make it false. */
  condition: RawBuilder<boolean>;
  order?: RawBuilder<unknown>;
  max?: number;
  lease: Lease;
}

/**
 * Claims the next rows of a queue and returns them whole, for a CTE: `with claimed as (${claim(queue)})
 * select …`. Skips rows locked by other transactions, so each row has one holder across servers, and slow
 * work delays no other.
 */
export function claim({ table, key = 'id', condition, order, max, lease }: Queue): RawBuilder<unknown> {
  const name = sql.table(table);
  const ordered = order === undefined ? sql`` : sql`order by ${order}`;
  const limited = max === undefined ? sql`` : sql`limit ${sql.lit(max)}`;
  // `for no key update`, because other transactions of the holder can insert rows that reference a claimed
  // one.
  const due = sql`from ${name} where ${condition} ${ordered} ${limited} for no key update skip locked`;
  if (lease === 'transaction') return sql`select * ${due}`;
  const column = sql.ref(`${table}.${key}`);
  const holder = lease.id === undefined ? sql`` : sql`, claim = ${lease.id}`;
  // Materialized, because a locking subquery that is evaluated again locks other rows.
  return sql`
    with due as materialized (select ${column} as key ${due})
    update ${name} set due_at = clock_timestamp() + ${lease.ms} * interval '1 ms'${holder}
    from due where ${column} = due.key returning ${name}.*`;
}
