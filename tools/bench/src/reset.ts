import type { Client } from 'pg';

const createdByLoad = `email like 'ana.figueiredo.%@bench.example'`;

/** Deletes what a load has written, so that the next one finds the tables as this one did. */
export async function forgetWrites(client: Client): Promise<void> {
  await client.query(`delete from agent where ${createdByLoad}`);
  await client.query('truncate event cascade');
  await client.query('vacuum agent');
  await client.query('checkpoint');
}

/** Deletes the agents that a load has created, with their events, and leaves the rest of the log. */
export async function forgetCreated(client: Client): Promise<void> {
  await client.query(
    `with gone as (delete from agent where ${createdByLoad} returning id)
     delete from event where subject_id in (select id from gone)`,
  );
  await client.query('vacuum agent');
  await client.query('checkpoint');
}
