import { Client } from 'pg';
import type { Bench } from '../database.ts';
import type { Variant } from './variants.ts';

/** A database of a variant: the URL for its server, and a connection of the bench. */
export interface Copy extends AsyncDisposable {
  url: string;
  client: Client;
}

let copies = 0;

async function opened(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'roster-bench' });
  await client.connect();
  return client;
}

/**
 * A copy of the database with what a variant takes out of it. Each variant that writes has one of its own: notifications
 * wake every server that listens to its database, also those that are stopped.
 */
export async function copyFor({ database: cut }: Variant, bench: Bench): Promise<Copy> {
  copies += 1;
  const copy = `ablation_${copies}`;
  const { rows } = await bench.client.query<{ name: string }>(
    'select quote_ident(current_database()) as name',
  );
  await bench.client.query(`create database ${copy} template ${rows[0]?.name} strategy file_copy`);
  const url = new URL(bench.url);
  url.pathname = copy;
  if (cut !== undefined) {
    const client = await opened(url.href);
    await cut.take(client);
    await client.end();
  }
  const client = await opened(url.href);
  return {
    url: url.href,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await bench.client.query(`drop database ${copy}`);
    },
  };
}
