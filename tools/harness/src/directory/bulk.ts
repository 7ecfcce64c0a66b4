import type { Client } from 'pg';

/** What is dropped before a bulk load, and the statements that bring it back. */
interface Dropped {
  drop: string[];
  restore: string[];
}

/** Everything but the primary key, as the catalogue tells it: it is restored as it was, whatever the migrations say. */
async function droppable(client: Client, table: string): Promise<Dropped> {
  const { rows: constraints } = await client.query<{ name: string; definition: string }>(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('f', 'u') order by contype desc, conname`,
    [table],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`,
    [table],
  );
  return {
    drop: [
      `alter table ${table} disable trigger user`,
      // The one that makes a row's own columns is no check.
      `alter table ${table} enable trigger ${table}_is_kept`,
      ...constraints.map(({ name }) => `alter table ${table} drop constraint ${name}`),
      ...indexes.map(({ name }) => `drop index ${name}`),
    ],
    restore: [
      ...indexes.map(({ definition }) => definition),
      ...constraints.map(
        ({ name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
      ),
      `alter table ${table} enable trigger user`,
    ],
  };
}

/**
 * Runs a bulk load with nothing on the table but its primary key, its checks and the trigger that makes its columns: building an index at the end costs a
 * fraction of keeping it. Afterwards everything is there again.
 */
export async function inBulk(client: Client, table: string, load: () => Promise<void>): Promise<void> {
  const { drop, restore } = await droppable(client, table);
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`,
  );
  for (const statement of drop) await client.query(statement);
  await load();
  for (const statement of restore) await client.query(statement);
  await client.query(
    'reset synchronous_commit; reset maintenance_work_mem; reset max_parallel_maintenance_workers',
  );
}
