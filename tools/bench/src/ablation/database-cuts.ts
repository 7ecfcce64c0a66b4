import type { Client } from 'pg';

/** A part of the database that is taken out of a copy. Fails if it is not there. */
export interface DatabaseCut {
  name: string;
  title: string;
  take: (client: Client) => Promise<void>;
}

/** Replaces a piece of a function of the database, which must be there exactly once. */
async function redefine(client: Client, name: string, from: RegExp): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    'select pg_get_functiondef(oid) as text from pg_proc where proname = $1',
    [name],
  );
  const text = rows[0]?.text ?? '';
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${name}() has ${from} ${parts.length - 1} times instead of once`);
  await client.query(parts.join(''));
}

/** Runs a statement for each row of a query, which must have some. */
async function forEach(client: Client, query: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(query);
  if (rows.length === 0) throw new Error(`nothing to take out: ${query}`);
  for (const { statement } of rows) await client.query(statement);
}

const searchIndexes = `select 'drop index ' || indexrelid::regclass as statement from pg_index
  where indrelid = 'agent'::regclass and pg_get_indexdef(indexrelid) like '%(search_text%'`;

const otherIndexes = `select 'drop index ' || indexrelid::regclass as statement from pg_index
  where indrelid = 'agent'::regclass and not indisunique and pg_get_indexdef(indexrelid) not like '%(search_text%'`;

const foreignKeys = `select format('alter table agent drop constraint %I', conname) as statement from pg_constraint
  where conrelid = 'agent'::regclass and contype = 'f'`;

const drop = (statement: string) => async (client: Client) => void (await client.query(statement));

export const databaseCuts: DatabaseCut[] = [
  {
    name: 'search-index',
    title: 'the index of the search',
    take: (client) => forEach(client, searchIndexes),
  },
  {
    name: 'search-text',
    title: 'the text of the search and its index',
    take: async (client) => {
      await redefine(client, 'agent_keep', /if old\.record_shape[\s\S]*?\n {2}end if;/);
      await forEach(client, searchIndexes);
    },
  },
  {
    name: 'kept-json',
    title: 'the JSON kept in the row (it is built for the answer all the same)',
    take: (client) => redefine(client, 'agent_keep', /new\.record := [\s\S]*?new\.record_shape := \d+;/),
  },
  {
    name: 'indexes',
    title: 'the indexes for lists and filters, but for that of the search',
    take: (client) => forEach(client, otherIndexes),
  },
  {
    name: 'foreign-keys',
    title: 'the foreign keys',
    take: (client) => forEach(client, foreignKeys),
  },
  {
    name: 'office-check',
    title: 'the trigger that looks whether the office is active',
    take: drop('drop trigger agent_arrives on agent'),
  },
  {
    name: 'event-index',
    title: 'the index of the events of a record',
    take: drop('drop index event_subject_idx'),
  },
  {
    name: 'notify',
    title: 'the notification of new positions',
    take: (client) => redefine(client, 'give_event_positions', /perform pg_notify\([^;]*;/),
  },
  {
    name: 'durability',
    title: 'waiting for the disk (synchronous_commit)',
    take: async (client) => {
      const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
      await client.query(`alter database ${rows[0]?.name} set synchronous_commit = off`);
    },
  },
];
