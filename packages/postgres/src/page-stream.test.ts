import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileOnce } from './compiled-query.ts';
import { LONG_COLUMN, pageStream } from './page-stream.ts';
import { connected, createTestDatabase, type TestDatabase } from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const texts = ['', 'short', 'Łódź 😀', 'a'.repeat(1_024), 'Łódź 😀'.repeat(200), 'é'.repeat(70_000)];

describe('a page', () => {
  const page = compileOnce<{ texts: string[] }, { items: string | null; other: string | null; n: string }>(
    (param) => sql`
      select text as items, text as other, n::text from unnest(${param('texts')}::text[]) with ordinality as given (text, n)
      union all select null, null, '0' order by n`,
    { isReadOnly: true, isText: true, byteColumn: 'items', lane: 'pages' },
  );
  const rowsOf = (given: string[]) => [
    { items: null, other: null, n: '0' },
    ...given.map((text, at) => ({ items: bytesOf(text), other: text, n: `${at + 1}` })),
  ];

  it('has one column as bytes and the others as text, however long they are', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    expect(await page.execute(db, { texts })).toEqual(rowsOf(texts));
  });

  it('is the same on a connection of the pool', async () => {
    const rows = await database.db.transaction().execute((trx) => page.execute(trx, { texts }));
    expect(rows).toEqual(rowsOf(texts));
  });

  it('belongs to its own statement, wherever the pieces that arrive end', async () => {
    await using db = connected(database, { pipeline: { connections: 2 } });
    const asked = Array.from({ length: 60 }, (_, n) =>
      Array.from({ length: n % 7 }, (_, at) => `${n} ž`.repeat((n * at * 97) % 9_000)),
    );
    const pages = await Promise.all(asked.map((given) => page.execute(db, { texts: given })));
    pages.forEach((rows, n) => {
      expect(rows).toEqual(rowsOf(asked[n] ?? []));
    });
  });

  it('has the error of PostgreSQL, however long that is', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const failing = compileOnce<{ text: string }, object>(
      (param) => sql`select ${param('text')}::text::int`,
      {
        isReadOnly: true,
        isText: true,
        lane: 'pages',
      },
    );
    await expect(failing.execute(db, { text: 'Łódź '.repeat(1_000) })).rejects.toThrow('Łódź Łódź');
  });

  it('is text, because a column of another type could not be taken out of its rows', async () => {
    const parsed = compileOnce(() => sql`select 1 as one`, { isReadOnly: true, lane: 'pages' });
    await expect(parsed.execute(database.db, {})).rejects.toThrow('isText');
  });
});

it('node-postgres reads through the stream it is given, and sees no long column', async () => {
  const { socket, takeLong } = pageStream();
  const client = new Client({ ...database.connection, stream: () => socket, pipeline: true });
  await client.connect();
  const long = 'Łódź'.repeat(1_000);
  const { rows } = await client.query({
    text: 'select $1::text, $2::text',
    values: ['short', long],
    rowMode: 'array',
  });
  expect(rows).toEqual([['short', LONG_COLUMN]]);
  expect(takeLong()).toBe(bytesOf(long));
  await client.end();
});
