import type { Client } from 'pg';

/** Deletes what a load has written, so that the next one finds the tables as this one did. */
export async function forgetWrites(client: Client): Promise<void> {
  await client.query(`delete from agent where email like 'ana.figueiredo.%@bench.example'`);
  await client.query('truncate event cascade');
  await client.query('vacuum agent');
  await client.query('checkpoint');
}
